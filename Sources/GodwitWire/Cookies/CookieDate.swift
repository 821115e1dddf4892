import GodwitSupport

/// Parses `Expires` dates, which servers write in many forms (RFC 6265bis section 5.1.1).
package enum CookieDate {
    /// Parses a date: any tokens that look like a time, day, month or year, in any order.
    ///
    /// The zone is ignored: all dates are UTC. `nil` if a part is missing or out of range, or the day doesn't exist.
    package static func parse(_ text: String) -> Date? {
        var parts = Parts()
        for token in text.utf8.split(whereSeparator: isDelimiter) { parts.take(token) }
        return parts.date
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// The parts found so far. Each is taken once, tried in the order time, day, month, year.
    private struct Parts {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?

        mutating func take(_ token: Substring.UTF8View) {
            if time == nil, let found = CookieDate.time(token) {
                time = found
            } else if day == nil, let found = CookieDate.number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = CookieDate.month(token) {
                month = found
            } else if year == nil, let found = CookieDate.number(token, digits: 2...4) {
                year = found
            }
        }

        var date: Date? {
            guard let time, let day, let month, let year = year.map(CookieDate.full), year >= 1601, time.hour < 24,
                time.minute < 60, time.second < 60,
                let days = CivilDate.day(year: year, month: month, day: day)
            else { return nil }
            let seconds = days * 86_400 + time.hour * 3600 + time.minute * 60 + time.second
            return Date(timeIntervalSince1970: Double(seconds))
        }
    }

    /// 70 to 99 mean 1970 to 1999, 0 to 69 mean 2000 to 2069.
    private static func full(_ year: Int) -> Int {
        switch year {
        case 70...99: year + 1900
        case 0...69: year + 2000
        default: year
        }
    }

    /// `h:m:s` with one or two digits each; text without a leading digit may follow.
    private static func time(_ token: Substring.UTF8View) -> (hour: Int, minute: Int, second: Int)? {
        let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count <= 2, parts[1].count <= 2, parts[0].allSatisfy(\.isDigit),
            parts[1].allSatisfy(\.isDigit), let hour = number(parts[0], digits: 1...2),
            let minute = number(parts[1], digits: 1...2), let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    /// The digits at the start of a token, if their count is in range; other text may follow.
    private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
        let run = token.prefix(while: \.isDigit)
        return digits.contains(run.count) ? Int(Substring(run)) : nil
    }

    /// The month of a token's first three letters.
    private static func month(_ token: Substring.UTF8View) -> Int? {
        let start = token.prefix(3).map(\.asciiLowercased)
        return months.firstIndex { $0.elementsEqual(start) }.map { $0 + 1 }
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ].map { Array($0.utf8) }
}
