/// Parses and writes the structured fields that uploads use (RFC 9651): integers, booleans and dictionaries of
/// integers.
package enum StructuredField {
    /// The largest integer of a structured field: 15 digits (RFC 9651 section 3.3.1).
    static let largestInteger: Int64 = 999_999_999_999_999

    /// Parses a non-negative integer; its parameters are ignored. `nil` for anything else.
    package static func integer(_ text: some StringProtocol) -> Int64? {
        let digits = withoutParameters(text)
        guard (1...15).contains(digits.utf8.count) else { return nil }
        return decimal(digits)
    }

    /// Parses a boolean, `?0` or `?1`; its parameters are ignored. `nil` for anything else.
    package static func boolean(_ text: some StringProtocol) -> Bool? {
        switch withoutParameters(text) {
        case "?1": true
        case "?0": false
        default: nil
        }
    }

    /// Writes a boolean.
    package static func text(_ value: Bool) -> String { value ? "?1" : "?0" }

    /// The members of a dictionary that have non-negative integers. Others are ignored; the last of a name counts.
    package static func integers(_ text: String) -> [String: Int64] {
        var members: [String: Int64] = [:]
        for member in text.split(separator: ",") {
            let parts = member.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let value = integer(parts[1]) else { continue }
            members[parts[0].trimmingBlanks] = value
        }
        return members
    }

    /// Digits only, without a sign; `nil` if the number exceeds `Int64`.
    package static func decimal(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }

    private static func withoutParameters(_ text: some StringProtocol) -> String {
        String(text.prefix { $0 != ";" }).trimmingBlanks
    }
}
