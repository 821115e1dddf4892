import Godwit

/// How the options sign in.
struct LoginChoice: Sendable {
    enum NetrcFile: Sendable {
        /// `~/.netrc`
        case standard
        case file(String)
    }

    /// `name:password`
    var user: String?
    var usesDigest = false
    var bearer: TextSource?
    var netrc: NetrcFile?
    /// The value of `Authorization` that a session keeps.
    var kept: String?

    /// What is sent.
    enum Resolved: Sendable {
        case none
        /// A value of `Authorization`.
        case field(String)
        case digest(PasswordCredential)
    }

    /// Reads the files that the options name. The last of `-u` and a token has precedence over netrc, and that over a session.
    func resolved(for url: HTTPURL?, _ environment: [String: String]) throws(CommandFailure) -> Resolved {
        if let user {
            let name = user.prefix { $0 != ":" }
            return password(String(name), String(user.dropFirst(name.count + 1)))
        }
        if let bearer { return .field("Bearer \(try token(bearer))") }
        if let netrc, let url {
            let path: String
            switch netrc {
            case .file(let file): path = file
            case .standard:
                guard let home = environment["HOME"], !home.isEmpty else {
                    throw .usage(UsageError("-n needs the variable HOME; name the file with --netrc-file"))
                }
                path = home + "/.netrc"
            }
            let entries = Netrc(parsing: try SmallFile.text(path))
            if let entry = entries.login(for: url.host) { return password(entry.user, entry.password) }
        }
        return kept.map(Resolved.field) ?? .none
    }

    private func password(_ user: String, _ password: String) -> Resolved {
        if usesDigest { return .digest(PasswordCredential(user: user, password: password)) }
        return .field("Basic \(Data("\(user):\(password)".utf8).base64EncodedString())")
    }

    private func token(_ source: TextSource) throws(CommandFailure) -> String {
        switch source {
        case .text(let text): return text
        case .file(let path):
            let line = try SmallFile.text(path).split(whereSeparator: \.isNewline).first
            guard let line else { throw .file("\(path) contains no token") }
            return String(line)
        default: throw .usage(UsageError("--bearer needs TOKEN or @FILE"))
        }
    }
}

/// The logins of a netrc file: `machine HOST login NAME password SECRET`, and `default`.
struct Netrc {
    struct Login: Equatable {
        var user = ""
        var password = ""
    }

    private var machines: [(host: String, login: Login)] = []
    private var fallback: Login?

    init(parsing text: String) {
        var words: [String] = []
        for line in text.split(whereSeparator: \.isNewline) where line.first(where: { $0 != " " }) != "#" {
            words += line.split { $0 == " " || $0 == "\t" }.map(String.init)
        }
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "machine": machines.append((rest.popFirst()?.lowercased() ?? "", Login()))
            case "default": fallback = Login()
            case "login": change { [value = rest.popFirst()] in $0.user = value ?? "" }
            case "password": change { [value = rest.popFirst()] in $0.password = value ?? "" }
            default: break
            }
        }
    }

    /// The login of a host, or the default; `nil` without one.
    func login(for host: String) -> Login? {
        machines.first { $0.host == host.lowercased() }?.login ?? fallback
    }

    /// A default is last in the file.
    private mutating func change(_ change: (inout Login) -> Void) {
        if var login = fallback {
            change(&login)
            fallback = login
        } else if !machines.isEmpty {
            change(&machines[machines.count - 1].login)
        }
    }
}
