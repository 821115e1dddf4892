import GodwitSupport

extension EncodedText {
    /// Writes a date as Foundation's `.iso8601` does: `"2026-03-01T12:30:00Z"`, without fractions of a second.
    func writeISO8601(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard Self.gregorian.contains(seconds) else {
            writeString(date.formatted(.iso8601), escapingSlashes: false)
            return
        }
        let (day, second) = Int(seconds).quotientAndRemainder(flooringBy: 86_400)
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
        let (year, month, day) = CivilDate.components(ofDay: number)
        writePart(year, length: 4, then: "-")
        writePart(month, length: 2, then: "-")
        writePart(day, length: 2, then: "T")
    }

    @inline(__always)
    private func writePart(_ number: Int, length: Int, then separator: Unicode.Scalar) {
        writeDigits(UInt64(truncatingIfNeeded: number), length: length)
        base[count] = UInt8(ascii: separator)
        count &+= 1
    }
}
