/// Dates in fields (RFC 9110 section 5.6.7), read and written without a formatter.
package enum HTTPDate {
    /// Reads any of the three forms a recipient has to accept; nil where the text is none of them.
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT       IMF-fixdate
    ///     Sunday, 06-Nov-94 08:49:37 GMT      RFC 850; the year is the latest that is not 50 years ahead of `now`
    ///     Sun Nov  6 08:49:37 1994            asctime
    ///
    /// Whether the weekday is the right one is not checked. A zone other than GMT makes the date unreadable.
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

    /// The date as IMF-fixdate, in whole seconds; years before 1 and after 9999 are cut to these.
    package static func format(_ date: Date) -> String {
        let seconds = wholeSeconds(of: date)
        let (days, time) = (floored(seconds, by: 86_400), seconds - floored(seconds, by: 86_400) * 86_400)
        let (year, month, day) = CivilDate.components(ofDay: days)
        let weekday = weekdays[(days % 7 + 11) % 7].prefix(3)
        let clock = [time / 3600, time / 60 % 60, time % 60].map { padded($0, to: 2) }.joined(separator: ":")
        return "\(weekday), \(padded(day, to: 2)) \(months[month - 1]) \(padded(year, to: 4)) \(clock) GMT"
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
        guard isWeekday(words[0].dropLast(), short: nil), words[0].hasSuffix(","), isZone(words[3]), parts.count == 3,
            let day = number(parts[0], digits: 2), let month = month(parts[1]), let short = number(parts[2], digits: 2)
        else { return nil }
        let (thisYear, thisMonth, thisDay) = CivilDate.components(ofDay: floored(wholeSeconds(of: now), by: 86_400))
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

    /// A second of the calendar; nil where there is none such.
    static func date(year: Int, month: Int, day: Int, clock: (hour: Int, minute: Int, second: Int)) -> Date? {
        guard clock.hour < 24, clock.minute < 60, clock.second <= 60,
            let days = CivilDate.day(year: year, month: month, day: day)
        else { return nil }
        return Date(timeIntervalSince1970: Double(days * 86_400 + clock.hour * 3600 + clock.minute * 60 + clock.second))
    }

    private static func isWeekday(_ word: Substring, short length: Int?) -> Bool {
        weekdays.contains { $0.prefix(length ?? $0.count) == word }
    }

    private static func isZone(_ word: Substring) -> Bool {
        word == "GMT"
    }

    private static func month(_ word: Substring) -> Int? {
        months.firstIndex { $0 == word }.map { $0 + 1 }
    }

    private static func number(_ word: Substring, digits: Int) -> Int? {
        guard word.utf8.count == digits, word.utf8.allSatisfy(IPAddress.isDigit) else { return nil }
        return Int(word)
    }

    private static func wholeSeconds(of date: Date) -> Int {
        let (first, last) = (-62_135_596_800.0, 253_402_300_799.0)
        let seconds = date.timeIntervalSince1970
        guard seconds > first else { return Int(first) }
        return Int(min(seconds, last).rounded(.down))
    }

    private static func floored(_ value: Int, by divisor: Int) -> Int {
        (value >= 0 ? value : value - divisor + 1) / divisor
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// IMF-fixdate (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// Every byte has its place, so it is read without taking words apart: most responses have two of them.
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

    /// A letter stands for a byte that is looked at elsewhere.
    private static let form = Array("www, dd mmm yyyy hh:nn:ss zzz".utf8)
    private static let weekdays = words("SunMonTueWedThuFriSat")
    private static let months = words("JanFebMarAprMayJunJulAugSepOctNovDec")
    /// The only zone (RFC 9110 section 5.6.7): a date that names another one is not a date.
    private static let zone = words("GMT")[0]

    private static func isPunctuated(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        zip(text, form).allSatisfy { byte, expected in
            byte == expected || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(expected)
        }
    }

    /// Three letters as one number.
    private static func word(at start: Int, in text: UnsafeBufferPointer<UInt8>) -> UInt32 {
        UInt32(text[start]) << 16 | UInt32(text[start + 1]) << 8 | UInt32(text[start + 2])
    }

    private static func words(_ text: StaticString) -> [UInt32] {
        text.withUTF8Buffer { bytes in stride(from: 0, to: bytes.count, by: 3).map { word(at: $0, in: bytes) } }
    }

    private static func number(at places: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        var value = 0
        for place in places {
            guard IPAddress.isDigit(text[place]) else { return nil }
            value = value * 10 + Int(text[place] - UInt8(ascii: "0"))
        }
        return value
    }
}

/// Days of the Gregorian calendar, counted from 1970-01-01; years from 1 to 9999.
enum CivilDate {
    /// The number of a day; nil where the calendar does not have it.
    static func day(year: Int, month: Int, day: Int) -> Int? {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1, day <= length(ofMonth: month, in: year)
        else { return nil }
        let before = (1..<month).reduce(0) { $0 + length(ofMonth: $1, in: year) }
        return firstDay(of: year) + before + day - 1
    }

    /// The year, month and day of a day's number.
    static func components(ofDay number: Int) -> (year: Int, month: Int, day: Int) {
        var year = 1970 + number * 400 / 146_097
        while firstDay(of: year) > number { year -= 1 }
        while firstDay(of: year + 1) <= number { year += 1 }
        var rest = number - firstDay(of: year)
        var month = 1
        while rest >= length(ofMonth: month, in: year) {
            rest -= length(ofMonth: month, in: year)
            month += 1
        }
        return (year, month, rest + 1)
    }

    private static func firstDay(of year: Int) -> Int {
        let past = year - 1
        return past * 365 + past / 4 - past / 100 + past / 400 - 719_162
    }

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
