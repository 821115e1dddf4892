import Godwit
import GodwitSupport
import Synchronization

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

    private let pipes = PipeTexts()

    /// What is sent.
    enum Resolved: Sendable {
        case none
        /// A value of `Authorization`.
        case field(String)
        case digest(PasswordCredential)
    }

    /// Reads the files that the options name. The last of `-u` and a token has precedence over netrc, and that over a session.
    func resolved(for url: HTTPURL?, _ environment: EnvironmentVariables) throws(CommandFailure) -> Resolved {
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
            if let entry = try logins(path).login(for: url.host) { return password(entry.user, entry.password) }
        }
        return kept.map(Resolved.field) ?? .none
    }

    private func password(_ user: String, _ password: String) -> Resolved {
        if usesDigest { return .digest(PasswordCredential(user: user, password: password)) }
        return .field("Basic \(Data("\(user):\(password)".utf8).base64EncodedString())")
    }

    private func logins(_ path: String) throws(CommandFailure) -> Netrc {
        let text = try pipes.text(of: path)
        do throws(UsageError) {
            return try Netrc(parsing: text)
        } catch {
            throw .file("\(path): \(error.reason)")
        }
    }

    private func token(_ source: TextSource) throws(CommandFailure) -> String {
        switch source {
        case .text(let text): return text
        case .file(let path):
            let line = try pipes.text(of: path).split(whereSeparator: \.isNewline).first
            guard let line else { throw .file("\(path) contains no token") }
            return String(line)
        default: throw .usage(UsageError("--bearer needs TOKEN or @FILE"))
        }
    }
}

/// Files that hold secrets, of which a pipe is read once: requests, their client and their session ask for the same login.
private final class PipeTexts: Sendable {
    private let texts = Mutex<[String: String]>([:])

    func text(of path: String) throws(CommandFailure) -> String {
        if let text = texts.withLock({ $0[path] }) { return text }
        let text = try SmallFile.unforgeableText(path)
        if FileKind(at: path) == .special { texts.withLock { $0[path] = text } }
        return text
    }
}
