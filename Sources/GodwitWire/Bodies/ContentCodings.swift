/// The codings applied to a content, in order (RFC 9110 section 8.4).
package struct ContentCodings: Sendable, Hashable {
    /// More codings aren't decoded: each can multiply the output, and no honest server applies as many.
    package static let mostUndone = 5

    /// In lowercase, without `identity`.
    package let applied: [String]

    /// Parses the value of `Content-Encoding`, with several fields joined by commas.
    package init(_ value: String) {
        applied = value.lowercasedWords.filter { $0 != "identity" }
    }

    /// Why the content is rejected; `nil` if it isn't.
    package var fault: String? {
        guard applied.count > Self.mostUndone else { return nil }
        return "the content has \(applied.count) nested codings; at most \(Self.mostUndone) are decoded"
    }
}

/// The content codings that a peer accepts: the value of `Accept-Encoding` (RFC 9110 section 12.5.3).
package struct AcceptedCodings: Sendable {
    /// Whether the weight is above zero, by lowercase name.
    private var accepted: [String: Bool] = [:]

    /// Parses an `Accept-Encoding` value. Items that can't be parsed are skipped.
    package init(_ text: String) {
        for item in text.split(separator: ",") {
            let parts = item.split(separator: ";").map(\.trimmingBlanks)
            guard let name = parts.first, !name.isEmpty else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") || $0.hasPrefix("Q=") }?.dropFirst(2)
            accepted[name.asciiLowercased] = weight.flatMap { Double($0) } != 0
        }
    }

    /// Whether a coding is accepted, by name or by `*`. An empty value accepts none.
    package func allow(_ coding: String) -> Bool {
        accepted[coding] ?? accepted["*"] ?? false
    }
}
