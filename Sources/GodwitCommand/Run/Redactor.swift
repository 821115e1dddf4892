import Godwit
import Synchronization

/// Hides secrets in all output of a run.
final class Redactor: Sendable {
    private let secrets = Mutex<[String]>([])

    /// Adds a secret, and the ways in which URLs, JSON and XML spell it.
    func add(_ secret: String) {
        guard !secret.isEmpty else { return }
        var query = QueryItems()
        query.append("", secret)
        let spellings = [
            secret, String(JSONText.quoted(secret).dropFirst().dropLast()), MarkupText.escaped(secret),
            String(query.description.drop { $0 == "=" }), Data(secret.utf8).base64EncodedString(),
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
