import GodwitSupport

/// Dates in header fields (RFC 9110 section 5.6.7), parsed and written without a formatter.
package enum HTTPDate {
    /// Parses any of the three forms a recipient must accept; `nil` for other text.
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT       IMF-fixdate
    ///     Sunday, 06-Nov-94 08:49:37 GMT      RFC 850; the year is the latest that is not 50 years ahead of `now`
    ///     Sun Nov  6 08:49:37 1994            asctime
    ///
    /// The weekday isn't checked against the date. A zone other than GMT is invalid.
    package static func parse(_ text: String, now: Date) -> Date? {
        let text = text.trimmingBlanks
        if let date = text.withBytes(Fixdate.parse) { return date }
        let words = text.split(separator: " ")
        switch words.count {
        case 5: return asctime(words)
        case 4: return rfc850(words, now: now)
        default: return nil
        }
    }

    /// The date as IMF-fixdate in whole seconds, clamped to the years 1 to 9999.
    package static func format(_ date: Date) -> String {
        let seconds = wholeSeconds(of: date)
        let (days, time) = seconds.quotientAndRemainder(flooringBy: 86_400)
        let (year, month, day) = CivilDate.components(ofDay: days)
        let weekday = weekdays[(days % 7 + 11) % 7].prefix(3)
        let clock = [time / 3600, time / 60 % 60, time % 60].map { $0.padded(to: 2) }.joined(separator: ":")
        return "\(weekday), \(day.padded(to: 2)) \(months[month - 1]) \(year.padded(to: 4)) \(clock) GMT"
    }

    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func asctime(_ words: [Substring]) -> Date? {
        guard isWeekday(words[0], short: 3), let month = month(words[1]),
            let day = number(words[2], digits: words[2].count == 1 ? 1 : 2), let year = number(words[4], digits: 4)
        else { return nil }
        return date(year: year, month: month, day: day, clock: words[3])
    }

    private static func rfc850(_ words: [Substring], now: Date) -> Date? {
        let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
        guard isWeekday(words[0].dropLast(), short: nil), words[0].hasSuffix(","), words[3] == "GMT", parts.count == 3,
            let day = number(parts[0], digits: 2), let month = month(parts[1]), let short = number(parts[2], digits: 2)
        else { return nil }
        let (thisYear, thisMonth, thisDay) = CivilDate.components(
            ofDay: wholeSeconds(of: now).quotientAndRemainder(flooringBy: 86_400).quotient)
        let latest = thisYear + 50
        var year = latest - latest % 100 + short
        if (year, month, day) > (latest, thisMonth, thisDay) { year -= 100 }
        return date(year: year, month: month, day: day, clock: words[2])
    }

    private static func date(year: Int, month: Int, day: Int, clock: Substring) -> Date? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], digits: 2), let minute = number(parts[1], digits: 2),
            let second = number(parts[2], digits: 2)
        else { return nil }
        return date(year: year, month: month, day: day, clock: (hour, minute, second))
    }

    /// The date of a calendar day and time; `nil` if it does not exist.
    static func date(year: Int, month: Int, day: Int, clock: (hour: Int, minute: Int, second: Int)) -> Date? {
        guard year >= 1, clock.hour < 24, clock.minute < 60, clock.second <= 60,
            let days = CivilDate.day(year: year, month: month, day: day)
        else { return nil }
        return Date(timeIntervalSince1970: Double(days * 86_400 + clock.hour * 3600 + clock.minute * 60 + clock.second))
    }

    private static func isWeekday(_ word: Substring, short length: Int?) -> Bool {
        weekdays.contains { $0.prefix(length ?? $0.count) == word }
    }

    private static func month(_ word: Substring) -> Int? {
        months.firstIndex { $0 == word }.map { $0 + 1 }
    }

    private static func number(_ word: Substring, digits: Int) -> Int? {
        guard word.utf8.count == digits, word.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(word)
    }

    private static func wholeSeconds(of date: Date) -> Int {
        let (first, last) = (-62_135_596_800.0, 253_402_300_799.0)
        let seconds = date.timeIntervalSince1970
        guard seconds > first else { return Int(first) }
        return Int(min(seconds, last).rounded(.down))
    }
}

/// IMF-fixdate (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// Parsed at fixed offsets without splitting: most responses contain two of them.
enum Fixdate {
    static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        guard text.count == form.count, isPunctuated(text), weekdays.contains(word(at: 0, in: text)),
            let month = months.firstIndex(of: word(at: 8, in: text)), word(at: 26, in: text) == zone,
            let day = number(at: 5..<7, in: text), let year = number(at: 12..<16, in: text),
            let hour = number(at: 17..<19, in: text), let minute = number(at: 20..<22, in: text),
            let second = number(at: 23..<25, in: text)
        else { return nil }
        return HTTPDate.date(year: year, month: month + 1, day: day, clock: (hour, minute, second))
    }

    /// The format. A lowercase letter stands for any byte; such bytes are parsed elsewhere.
    private static let form = Array("www, dd mmm yyyy hh:nn:ss zzz".utf8)
    private static let weekdays = words("SunMonTueWedThuFriSat")
    private static let months = words("JanFebMarAprMayJunJulAugSepOctNovDec")
    /// The only valid zone (RFC 9110 section 5.6.7).
    private static let zone = words("GMT")[0]

    private static func isPunctuated(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        zip(text, form).allSatisfy { byte, expected in
            byte == expected || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(expected)
        }
    }

    /// Three letters packed into a number.
    private static func word(at start: Int, in text: UnsafeBufferPointer<UInt8>) -> UInt32 {
        UInt32(text[start]) << 16 | UInt32(text[start + 1]) << 8 | UInt32(text[start + 2])
    }

    private static func words(_ text: StaticString) -> [UInt32] {
        text.withUTF8Buffer { bytes in stride(from: 0, to: bytes.count, by: 3).map { word(at: $0, in: bytes) } }
    }

    private static func number(at places: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        var value = 0
        for place in places {
            guard text[place].isDigit else { return nil }
            value = value * 10 + Int(text[place] - UInt8(ascii: "0"))
        }
        return value
    }
}
