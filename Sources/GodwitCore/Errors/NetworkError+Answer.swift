extension NetworkError {
    /// The most characters of a server's explanation that a description shows.
    private static let longestExplanation = 200
    /// Shorter values are found in ordinary words.
    private static let shortestSecret = 6

    /// What a description says of an answer whose status is the failure; `nil` for other failures.
    var answerLine: String? {
        guard let response, kind.isStatus else { return nil }
        let line = "HTTP \(response.status)" + (request.map { " from \($0)" } ?? "")
        return "\(line): \(explanation ?? kind.meaning)"
    }

    /// What the server says about the failure, in one line and without secrets.
    private var explanation: String? {
        guard let words = problem?.detail ?? problem?.title else { return nil }
        var text = RedactedText.references(words)
        for secret in sentSecrets {
            text = text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "<redacted>")
        }
        let line = text.split {
            $0.isNewline || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        .joined(separator: " ").trimmingBlanks
        guard !line.isEmpty else { return nil }
        return line.count > Self.longestExplanation ? line.prefix(Self.longestExplanation) + "…" : line
    }

    /// What the request sent that must not be shown, as some servers repeat it.
    private var sentSecrets: [String] {
        let values = request?.fields.filter { $0.name.isSensitive }.map(\.value) ?? []
        return values.flatMap { [$0] + $0.split { $0 == " " || $0 == ";" || $0 == "," }.map(String.init) }
            .filter { $0.count >= Self.shortestSecret }
            .sorted { $0.count > $1.count }
    }
}
