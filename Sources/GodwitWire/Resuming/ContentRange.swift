/// The value of `Content-Range` in bytes (RFC 9110 section 14.4).
package struct ContentRange: Sendable, Hashable {
    /// The bytes that are sent; nil in the form `bytes */12` of a 416.
    package let bytes: Range<Int64>?
    /// The size of the whole; nil where it is written `*`.
    package let total: Int64?

    /// Reads a value; nil where it is another unit, or contradicts itself.
    package init?(_ text: String) {
        let words = text.trimmingBlanks.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].asciiLowercasedEquals("bytes") else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] == "*" {
            total = nil
        } else {
            guard let size = Self.number(parts[1]) else { return nil }
            total = size
        }
        if parts[0] == "*" {
            guard total != nil else { return nil }
            bytes = nil
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < total ?? .max
        else { return nil }
        bytes = first..<(last + 1)
    }

    private static func number(_ digits: Substring) -> Int64? {
        guard !digits.isEmpty, digits.utf8.allSatisfy(IPAddress.isDigit) else { return nil }
        return Int64(digits)
    }
}

extension Substring {
    fileprivate func asciiLowercasedEquals(_ other: String) -> Bool {
        String(self).equalsIgnoringASCIICase(other)
    }
}
