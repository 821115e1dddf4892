import Godwit
import GodwitGenerator
import GodwitSupport

/// The user's defaults: options as on the command line, for all hosts or for those under a heading.
///
/// ```text
/// # for all hosts
/// --timeout 30
///
/// [api.example.com]
/// -H 'X-Team: sea'
/// --session me
///
/// [*.example.com]
/// --http1.1
/// ```
struct ConfigFile: Sendable {
    private static let sizeLimit = 1 << 20

    private struct Line: Sendable {
        /// `nil` for all hosts.
        let host: String?
        let words: [String]
    }

    private let lines: [Line]

    static let none = ConfigFile(lines: [])

    private init(lines: [Line]) {
        self.lines = lines
    }

    /// Reads the file in the settings folder; ``none`` without a file.
    static func read(_ environment: EnvironmentVariables) throws(CommandFailure) -> ConfigFile {
        guard let folder = SettingsFolder.path(environment) else { return .none }
        let path = folder + "/config"
        guard FileManager.default.fileExists(atPath: path) else { return .none }
        let text = try SmallFile.unforgeableText(path)
        guard text.utf8.count <= sizeLimit else { throw .file("\(path) is larger than 1 MiB") }
        do throws(UsageError) {
            return try ConfigFile(parsing: text)
        } catch {
            throw .usage(UsageError("\(path): \(error.reason)"))
        }
    }

    init(parsing text: String) throws(UsageError) {
        var lines: [Line] = []
        var host: String?
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.drop { $0 == " " || $0 == "\t" }
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("[") {
                guard let end = line.lastIndex(of: "]") else { throw UsageError("line \(index + 1): [ isn't closed") }
                host = line[line.index(after: line.startIndex)..<end].lowercased()
                continue
            }
            guard line.hasPrefix("-") else {
                throw UsageError("line \(index + 1): an option begins with \"-\", a heading with \"[\"")
            }
            do {
                lines.append(Line(host: host, words: try ShellWords.split(String(line))))
            } catch {
                throw UsageError("line \(index + 1): a quote isn't closed, or a special character isn't quoted")
            }
        }
        self.lines = lines
    }

    /// The options for a URL, in order: those for all hosts first.
    func options(for url: String) -> ArraySlice<String> {
        guard !lines.isEmpty, let url = try? HTTPURL(url) else { return [] }
        let general = lines.filter { $0.host == nil }
        let own = lines.filter { line in line.host.map { Self.matches(url, $0) } ?? false }
        return (general + own).flatMap(\.words)[...]
    }

    /// A heading is a host, a host with its port, `:port` for localhost, or `*.domain`.
    private static func matches(_ url: HTTPURL, _ pattern: String) -> Bool {
        if pattern.hasPrefix("*.") { return url.host.hasSuffix(pattern.dropFirst()) }
        let full = pattern.hasPrefix(":") ? "localhost\(pattern)" : pattern
        return full == url.host || full == "\(url.host):\(url.port)"
    }
}
