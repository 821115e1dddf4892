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
