extension EncodedText {
    /// Writes a date as Foundation's `.iso8601` does: `"2026-03-01T12:30:00Z"`, without fractions of a second.
    func writeISO8601(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard Self.gregorian.contains(seconds) else {
            writeString(date.formatted(.iso8601), escapingSlashes: false)
            return
        }
        let (day, second) = Int(seconds).flooredQuotientAndRemainder(by: 86_400)
        reserve(22)
        base[count] = UInt8(ascii: "\"")
        count &+= 1
        writeDay(day)
        writePart(second / 3600, length: 2, then: ":")
        writePart(second / 60 % 60, length: 2, then: ":")
        writePart(second % 60, length: 2, then: "Z")
        base[count] = UInt8(ascii: "\"")
        count &+= 1
    }

    /// The years 1583 to 9999 in seconds. Foundation uses the Julian calendar before.
    private static let gregorian = -12_212_553_600.0...253_402_300_799.0

    /// Writes a day of the Gregorian calendar, counted from 1970-01-01. The room is reserved.
    @inline(__always)
    private func writeDay(_ number: Int) {
        // Eras of 400 years that begin in March, so that the leap day comes last.
        let (era, dayOfEra) = (number &+ 719_468).flooredQuotientAndRemainder(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        writePart(era * 400 + yearOfEra + (month <= 2 ? 1 : 0), length: 4, then: "-")
        writePart(month, length: 2, then: "-")
        writePart(dayOfYear - (153 * shifted + 2) / 5 + 1, length: 2, then: "T")
    }

    @inline(__always)
    private func writePart(_ number: Int, length: Int, then separator: Unicode.Scalar) {
        writeDigits(UInt64(truncatingIfNeeded: number), length: length)
        base[count] = UInt8(ascii: separator)
        count &+= 1
    }
}

extension Int {
    @inline(__always)
    fileprivate func flooredQuotientAndRemainder(by divisor: Int) -> (Int, Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
