import Godwit

/// What a session keeps between runs for one host: header fields, the login and all cookies.
///
/// The files are in the settings folder, `sessions/HOST/NAME.json` and `NAME.cookies`, and only their owner can read them.
struct SessionFile: Sendable {
    private struct Content: Codable {
        struct Field: Codable {
            let name: String
            let value: String
        }

        var version = 1
        var fields: [Field] = []
        var authorization: String?

        /// The values by lowercased name.
        private var values: [String: [String]] {
            Dictionary(grouping: fields) { $0.name.lowercased() }.mapValues { $0.map(\.value) }
        }

        /// Applies what differs between two states to this one.
        mutating func apply(changesFrom former: Content, to later: Content) {
            let (old, new) = (former.values, later.values)
            let changed = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
            fields.removeAll { changed.contains($0.name.lowercased()) }
            fields += later.fields.filter { changed.contains($0.name.lowercased()) }
            if former.authorization != later.authorization { authorization = later.authorization }
        }
    }

    private static let sizeLimit = 1 << 20

    private let path: String
    /// What the file had when the request was built.
    private var former = Content()
    private var file: SecretFile { SecretFile(path) }
    /// The path of the session's cookies.
    let cookies: String

    /// Letters, digits, `-`, `_` and `.`, as the name becomes a file's.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64 && text.first != "."
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    }

    /// Makes the folder of the host.
    init(_ name: String, for url: HTTPURL, _ environment: EnvironmentVariables) throws(CommandFailure) {
        guard let folder = SettingsFolder.path(environment) else {
            throw .usage(UsageError("--session needs the variable HOME or XDG_CONFIG_HOME"))
        }
        let isDefault = url.port == (url.scheme == .https ? 443 : 80)
        // The host is validated; brackets and colons of an address are unusual in names.
        let host = String((isDefault ? url.host : "\(url.host)_\(url.port)").map { "[]:".contains($0) ? "_" : $0 })
        let place = "\(folder)/sessions/\(host)"
        do {
            try FileManager.default.createDirectory(
                atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .file("cannot create \(place)")
        }
        path = "\(place)/\(name).json"
        cookies = "\(place)/\(name).cookies"
    }

    /// Adds what the session keeps to the arguments, unless they have it already.
    mutating func apply(to arguments: inout RequestArguments) throws(CommandFailure) {
        guard let content = try content(of: file.read()) else { return }
        former = content
        let own = Set(arguments.items.compactMap(\.fieldName))
        for field in content.fields where !own.contains(field.name.lowercased()) {
            arguments.items.append(.field(name: field.name, value: field.value))
        }
        if !own.contains("authorization") { arguments.login.kept = content.authorization }
    }

    /// Saves the fields and the login of a request, if they differ from what the session had: another command may have changed
    /// the rest meanwhile. Fields about one body or one cached copy, and cookies, aren't fields of a session.
    func save(_ arguments: RequestArguments, authorization: String?) throws(CommandFailure) {
        var content = Content(authorization: authorization)
        for case .field(let name, let value) in arguments.items {
            let plain = name.lowercased()
            if plain.hasPrefix("content-") || plain.hasPrefix("if-") || plain == "cookie" { continue }
            if plain == "authorization" {
                content.authorization = value
            } else {
                content.fields.append(.init(name: name, value: value))
            }
        }
        try file.change { data throws(CommandFailure) in
            var stored = try self.content(of: data) ?? Content()
            stored.apply(changesFrom: former, to: content)
            data = try encode(stored)
        }
    }

    private func encode(_ content: Content) throws(CommandFailure) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(content) else { throw .file("cannot write \(path)") }
        return data
    }

    private func content(of data: Data?) throws(CommandFailure) -> Content? {
        guard let data else { return nil }
        guard data.count <= Self.sizeLimit,
            let content = try? JSONDecoder().decode(Content.self, from: data), content.version == 1
        else { throw .file("\(path) is not a session that this version can read; delete it to start again") }
        return content
    }
}
