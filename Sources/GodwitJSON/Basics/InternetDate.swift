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
            century >= 16, 1...12 ~= month, 1...(month == 2 ? 28 : 30) ~= day, hour < 24, minute < 60, second < 60
        else { return nil }
        let days = days(century * 100 + year, month, day)
        return Date(timeIntervalSince1970: Double(days * 86400 + hour * 3600 + minute * 60 + second))
    }

    private static func pair(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int? {
        let (tens, ones) = (text[place] &- UInt8(ascii: "0"), text[place &+ 1] &- UInt8(ascii: "0"))
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }

    /// Days since 1970. The year starts in March, so that a leap day is its last day.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        return year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 719_469
    }
}
