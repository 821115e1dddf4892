import GodwitSupport

/// The usual form of ISO 8601 dates, read without a string: `2026-03-01T12:30:00Z` (RFC 3339).
package enum InternetDate {
    /// The date; `nil` for all other forms, which Foundation reads.
    package static func date(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        guard text.count == 20, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            text[19] == UInt8(ascii: "Z"),
            let century = pair(text, 0), let year = pair(text, 2), let month = pair(text, 5), let day = pair(text, 8),
            let hour = pair(text, 11), let minute = pair(text, 14), let second = pair(text, 17),
            // Before, Foundation's calendar may be the Julian one; the last days of some months depend on month and year.
            century >= 16, 1...(month == 2 ? 28 : 30) ~= day, hour < 24, minute < 60, second < 60,
            let days = CivilDate.day(year: century * 100 + year, month: month, day: day)
        else { return nil }
        return Date(timeIntervalSince1970: Double(days * 86400 + hour * 3600 + minute * 60 + second))
    }

    private static func pair(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int? {
        let (tens, ones) = (text[place] &- UInt8(ascii: "0"), text[place &+ 1] &- UInt8(ascii: "0"))
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }
}
