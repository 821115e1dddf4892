/// Which content codings a peer takes: the value of `Accept-Encoding` (RFC 9110 section 12.5.3).
package struct AcceptedCodings: Sendable {
    /// In lower case, with whether the weight is above zero.
    private var accepted: [String: Bool] = [:]

    /// Reads the value of an `Accept-Encoding` field; what cannot be read is passed over.
    package init(_ text: String) {
        for item in text.split(separator: ",") {
            let parts = item.split(separator: ";").map { String($0).trimmingBlanks }
            guard let name = parts.first, !name.isEmpty else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") || $0.hasPrefix("Q=") }?.dropFirst(2)
            accepted[name.asciiLowercased] = weight.flatMap { Double($0) } != 0
        }
    }

    /// Whether a coding is taken, by its name or as one of all. An empty value takes none.
    package func allow(_ coding: String) -> Bool {
        accepted[coding] ?? accepted["*"] ?? false
    }
}
