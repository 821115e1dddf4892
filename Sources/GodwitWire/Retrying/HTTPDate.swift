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
