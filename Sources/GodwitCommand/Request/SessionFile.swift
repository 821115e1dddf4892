#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
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
    }

    private static let sizeLimit = 1 << 20

    private let path: String
    /// The path of the session's cookies.
    let cookies: String

    /// Letters, digits, `-`, `_` and `.`, as the name becomes a file's.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64 && text.first != "."
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    }

    /// Makes the folder of the host.
    init(_ name: String, for url: HTTPURL, _ environment: [String: String]) throws(CommandFailure) {
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
    func apply(to arguments: inout RequestArguments) throws(CommandFailure) {
        guard let content = try read() else { return }
        let own = Set(arguments.items.compactMap(\.fieldName))
        for field in content.fields where !own.contains(field.name.lowercased()) {
            arguments.items.append(.field(name: field.name, value: field.value))
        }
        if !own.contains("authorization") { arguments.login.kept = content.authorization }
    }

    /// Saves the fields and the login of a request. Fields about one body or one cached copy, and cookies, aren't fields of a
    /// session.
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
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(content) else { throw .file("cannot write \(path)") }
        try write(data)
    }

    private func read() throws(CommandFailure) -> Content? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw .file("\(path) must be a file that only you can read; run chmod 600 on it")
        }
        guard status.st_size <= Self.sizeLimit,
            let content = try? JSONDecoder().decode(Content.self, from: try SmallFile.read(path)), content.version == 1
        else { throw .file("\(path) is not a session that this version can read; delete it to start again") }
        return content
    }

    /// Writes a new file and renames it, so that a crash leaves the old one.
    private func write(_ data: Data) throws(CommandFailure) {
        let draft = "\(path).\(UInt32.random(in: .min ... .max)).tmp"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file("cannot write \(path)") }
        let isWritten = data.withUnsafeBytes { bytes in
            systemWriteAll(descriptor, bytes)
        }
        close(descriptor)
        guard isWritten, rename(draft, path) == 0 else {
            unlink(draft)
            throw .file("cannot write \(path)")
        }
    }
}

// A separate name, because a method of the type hides the C function.
private func systemWriteAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
        let chunk = UnsafeRawBufferPointer(rebasing: rest)
        let count = write(descriptor, chunk.baseAddress, chunk.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
    }
    return true
}
