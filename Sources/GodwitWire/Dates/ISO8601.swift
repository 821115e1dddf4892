import GodwitSupport

/// ISO 8601 dates in the profile of RFC 3339 section 5.6, and dates without a time.
package enum ISO8601 {
    /// Parses `2026-03-01T12:30:00.25+01:00` or `2026-03-01`; `nil` if the text isn't a date that exists.
    package static func date(_ text: String) -> Date? {
        var reader = Reader(rest: text.utf8[...])
        guard let days = reader.days() else { return nil }
        if reader.isAtEnd { return Date(timeIntervalSince1970: Double(days * 86_400)) }
        guard reader.takeTimeMark(), let time = reader.time(), let offset = reader.offset(), reader.isAtEnd else {
            return nil
        }
        let seconds = days * 86_400 + time.seconds - offset
        return Date(timeIntervalSince1970: Double(seconds) + time.fraction)
    }

    /// The date in UTC. `nil` outside the years 0 to 9999, which the profile can't represent (RFC 3339 section 1).
    ///
    /// - Parameter digits: The digits of the second's fraction, 0 to 6. `nil` means milliseconds unless they are zero.
    package static func text(_ date: Date, digits: Int? = nil) -> String? {
        let unit = (0..<(digits ?? 3)).reduce(1) { unit, _ in unit * 10 }
        let time = date.timeIntervalSince1970
        let whole = time.rounded(.down)
        // Apart, as the product of the whole time would lose a microsecond.
        let part = ((time - whole) * Double(unit)).rounded()
        guard writable.contains(part < Double(unit) ? whole : whole + 1) else { return nil }
        let (days, inDay) = (Int(whole) * unit + Int(part)).quotientAndRemainder(flooringBy: 86_400 * unit)
        let (year, month, day) = CivilDate.components(ofDay: days)
        let (seconds, fraction) = (inDay / unit, inDay % unit)
        var text = "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
        text +=
            "T\((seconds / 3600).padded(to: 2)):\((seconds / 60 % 60).padded(to: 2)):\((seconds % 60).padded(to: 2))"
        if let digits, digits > 0 { text += ".\(fraction.padded(to: digits))" }
        if digits == nil, fraction > 0 { text += ".\(fraction.padded(to: 3))" }
        return text + "Z"
    }

    /// The years 0 to 9999 in seconds since 1970. Excludes NaN.
    private static let writable = -62_167_219_200.0...253_402_300_799.0

    private struct Reader {
        var rest: Substring.UTF8View

        var isAtEnd: Bool { rest.isEmpty }

        mutating func days() -> Int? {
            guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2) else {
                return nil
            }
            return CivilDate.day(year: year, month: month, day: day)
        }

        mutating func takeTimeMark() -> Bool {
            take("T") || take("t") || take(" ")
        }

        /// A leap second, 60, counts as the first second of the next minute.
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
            while let byte = rest.first, byte.isDigit {
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
                guard let byte = rest.first, byte.isDigit else { return nil }
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
