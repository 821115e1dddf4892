/// The codings that were applied to a content (RFC 9110 section 8.4), in their order.
package struct ContentCodings: Sendable, Hashable {
    /// More are not undone: each of them can multiply what comes out, and no honest server applies as many.
    package static let mostUndone = 5

    /// In lower case, without `identity`.
    package let applied: [String]

    /// Reads the value of `Content-Encoding`, of several fields joined by commas.
    package init(_ value: String) {
        applied = value.asciiLowercased.split { $0 == "," || $0 == " " || $0 == "\t" }
            .filter { $0 != "identity" }.map(String.init)
    }

    /// Why the content is refused; `nil` if it is not.
    package var fault: String? {
        guard applied.count > Self.mostUndone else { return nil }
        return
            "the content has \(applied.count) codings on top of each other, and at most \(Self.mostUndone) are undone"
    }
}
