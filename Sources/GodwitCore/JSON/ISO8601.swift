/// The profile of ISO 8601 that RFC 3339 section 5.6 describes, and a day alone.
enum ISO8601 {
    /// Reads `2026-03-01T12:30:00.25+01:00`; nil for anything that is no date on the calendar.
    static func date(_ text: String) -> Date? {
        var reader = Reader(rest: text.utf8[...])
        guard let days = reader.days() else { return nil }
        if reader.isAtEnd { return Date(timeIntervalSince1970: Double(days * 86_400)) }
        guard reader.takeTimeMark(), let time = reader.time(), let offset = reader.offset(), reader.isAtEnd else {
            return nil
        }
        let seconds = days * 86_400 + time.seconds - offset
        return Date(timeIntervalSince1970: Double(seconds) + time.fraction)
    }

    /// Writes a date in UTC, with milliseconds if it has any; `nil` outside of the years 0 to 9999, for which the profile
    /// has no form (RFC 3339 section 1).
    static func text(_ date: Date) -> String? {
        let exact = (date.timeIntervalSince1970 * 1000).rounded()
        guard writable.contains(exact) else { return nil }
        let milliseconds = Int(exact)
        let (days, inDay) = milliseconds.quotientAndRemainder(flooringBy: 86_400_000)
        let (year, month, day) = civil(days)
        let (seconds, fraction) = (inDay / 1000, inDay % 1000)
        var text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        text += "T\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
        if fraction > 0 { text += ".\(padded(fraction, 3))" }
        return text + "Z"
    }

    /// Milliseconds from the first of the year 0 to the last of the year 9999. NaN is not among them.
    private static let writable = -62_167_219_200_000.0...253_402_300_799_999.0

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Days since 1970-01-01 of a day in the Gregorian calendar.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Years start in March, so that the leap day comes last.
        let shifted = month > 2 ? year : year - 1
        let (era, inEra) = shifted.quotientAndRemainder(flooringBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + inEra * 365 + inEra / 4 - inEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, inEra) = (days + 719_468).quotientAndRemainder(flooringBy: 146_097)
        let yearOfEra = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
        let dayOfYear = inEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private struct Reader {
        var rest: Substring.UTF8View

        var isAtEnd: Bool { rest.isEmpty }

        mutating func days() -> Int? {
            guard let year = number(4), take("-"), let month = number(2), (1...12).contains(month), take("-"),
                let day = number(2), day >= 1, day <= ISO8601.length(ofMonth: month, in: year)
            else { return nil }
            return ISO8601.days(year, month, day)
        }

        mutating func takeTimeMark() -> Bool {
            take("T") || take("t") || take(" ")
        }

        /// A leap second, 60, counts as the first of the next minute.
        mutating func time() -> (seconds: Int, fraction: Double)? {
            guard let hour = number(2), hour < 24, take(":"), let minute = number(2), minute < 60, take(":"),
                let second = number(2), second <= 60
            else { return nil }
            guard take(".") || take(",") else { return (hour * 3600 + minute * 60 + second, 0) }
            guard let fraction = fraction() else { return nil }
            return (hour * 3600 + minute * 60 + second, fraction)
        }

        /// Seconds east of UTC.
        mutating func offset() -> Int? {
            if take("Z") || take("z") { return 0 }
            let sign = take("+") ? 1 : take("-") ? -1 : 0
            guard sign != 0, let hour = number(2), hour < 24 else { return nil }
            _ = take(":")
            guard let minute = number(2), minute < 60 else { return nil }
            return sign * (hour * 3600 + minute * 60)
        }

        private mutating func fraction() -> Double? {
            var (value, scale, count) = (0.0, 1.0, 0)
            while let byte = rest.first, (0x30...0x39).contains(byte) {
                if count < 9 {
                    value = value * 10 + Double(byte - 0x30)
                    scale *= 10
                }
                count += 1
                rest.removeFirst()
            }
            return count > 0 ? value / scale : nil
        }

        private mutating func number(_ digits: Int) -> Int? {
            var value = 0
            for _ in 0..<digits {
                guard let byte = rest.first, (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int(byte - 0x30)
                rest.removeFirst()
            }
            return value
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }
    }
}

extension Int {
    fileprivate func quotientAndRemainder(flooringBy divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
