/// A number of seconds in a field (RFC 9111 section 1.2.2).
package enum DeltaSeconds {
    /// What a larger number counts as.
    package static let largest = 1 << 31

    /// The number of seconds that the text is; nil where it is anything but digits.
    package static func parse(_ text: String) -> Int? {
        let digits = text.trimmingBlanks
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Int(digits) ?? largest, largest)
    }

    /// The seconds of an `Age` field: of a list the first member, and 0 where that cannot be read (section 5.1).
    package static func age(_ fields: HTTPFields) -> Int {
        let first = fields[.age]?.split(separator: ",", omittingEmptySubsequences: false).first
        return first.flatMap { parse(String($0)) } ?? 0
    }
}
