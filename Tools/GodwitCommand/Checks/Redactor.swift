import Godwit
import GodwitSupport
import Synchronization

/// Hides secrets in all output of a run.
final class Redactor: Sendable {
    /// Used by texts that shorten values: the rest of a secret that is cut could not be found later.
    @TaskLocal static var current: Redactor?

    private let secrets = Mutex<[String]>([])

    /// Adds a secret, and the ways in which URLs, JSON and XML spell it.
    func add(_ secret: String) {
        guard !secret.isEmpty else { return }
        var query = QueryItems()
        query.append("", secret)
        let base64 = Data(secret.utf8).base64EncodedString()
        let percent = CheckFilter.percentEncoded(secret, keeping: "-._~")
        let spellings = [
            secret, percent, percent.lowercasedEscapes, base64.replacing("=", with: ""),
            base64.replacing("=", with: "").replacing("+", with: "-").replacing("/", with: "_"),
            secret.replacing("/", with: "\\/"), Hexadecimal.encode(secret.utf8).uppercased(),
            String(OrderedJSON.quoted(secret).dropFirst().dropLast()), MarkupText.escaped(secret),
            String(query.description.drop { $0 == "=" }), base64,
            Hexadecimal.encode(secret.utf8),
            (try? HTTPURL("http://a/\(secret)"))?.absoluteString.dropFirst(9).description ?? "",
        ]
        secrets.withLock { secrets in
            for spelling in spellings where !spelling.isEmpty && !secrets.contains(spelling) {
                secrets.append(spelling)
            }
            // A secret that contains another is replaced first.
            secrets.sort { $0.utf8.count > $1.utf8.count }
        }
    }

    func redacted(_ text: String) -> String {
        secrets.withLock(\.self).reduce(text) { text, secret in
            text.pieces(separatedBy: secret).joined(separator: "***")
        }
    }

    /// The value with the secrets in its strings hidden.
    func redacted(_ value: ExactJSON) -> ExactJSON {
        switch value {
        case .text(let text): .string(redacted(text.description))
        case .array(let values): .array(values.map(redacted))
        case .object(let members):
            .object(
                Dictionary(members.map { (ExactText(redacted($0.key.description)), redacted($0.value)) }) { first, _ in
                    first
                })
        case .null, .bool, .number: value
        }
    }

    /// Bytes that contain a secret become the text with stars; other bytes stay.
    func redacted(_ data: Data) -> Data {
        let bytes = Array(data)
        let contains = secrets.withLock(\.self).contains { secret in
            !TextSearch(Array(secret.utf8)).positions(in: bytes, limit: 1).isEmpty
        }
        return contains ? Data(redacted(String(decoding: bytes, as: UTF8.self)).utf8) : data
    }
}

extension String {
    /// With the digits after each `%` in lowercase.
    fileprivate var lowercasedEscapes: String {
        let pieces = split(separator: "%", omittingEmptySubsequences: false)
        return ([String(pieces.first ?? "")] + pieces.dropFirst().map { $0.prefix(2).lowercased() + $0.dropFirst(2) })
            .joined(separator: "%")
    }
}

/// An output that shows no secrets.
struct RedactedOutput: OutputSink {
    let output: any OutputSink
    let redactor: Redactor

    var isTerminal: Bool { output.isTerminal }

    func write(_ data: Data) async throws(OutputError) {
        try await output.write(Data(redactor.redacted(String(decoding: data, as: UTF8.self)).utf8))
    }
}
