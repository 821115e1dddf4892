import GodwitWire
import GodwitTesting
import Testing

@Suite struct HTTPDateTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)  // 2026-09-21

    @Test(
        "E6 all three forms of RFC 9110 are read",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Fri Jan  1 00:00:00 2100", 4_102_444_800),
            ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), (" Thu, 01 Jan 1970 00:00:00 GMT ", 0),
            ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Mon Nov 16 08:49:37 1994", 784_975_777),
        ])
    func reading(text: String, seconds: Double) {
        #expect(HTTPDate.parse(text, now: now) == Date(timeIntervalSince1970: seconds))
    }

    @Test(
        "E6 a year of two digits is the latest that is not 50 years ahead",
        arguments: [
            (1_790_000_000, "76", 2076), (1_790_000_000, "77", 1977), (1_790_000_000, "26", 2026),
            (1_790_000_000, "99", 1999),
            (915_148_800, "01", 2001), (915_148_800, "49", 2048 - 99), (915_148_800, "48", 2048),
            (3_900_000_000, "05", 2105),
        ])
    func twoDigitYears(now: Double, digits: String, year: Int) throws {
        let date = try #require(
            HTTPDate.parse("Monday, 02-Mar-\(digits) 00:00:00 GMT", now: Date(timeIntervalSince1970: now)))
        #expect(HTTPDate.format(date).contains(" Mar \(year) "))
    }

    @Test("E6 fifty years ahead is counted to the day")
    func fiftyYears() throws {
        let day = try #require(HTTPDate.parse("Tuesday, 22-Sep-76 00:00:00 GMT", now: now))
        #expect(HTTPDate.format(day).contains(" 1976 "))
        let before = try #require(HTTPDate.parse("Monday, 21-Sep-76 00:00:00 GMT", now: now))
        #expect(HTTPDate.format(before).contains(" 2076 "))
    }

    @Test(
        "E6 invalid dates are nil",
        arguments: [
            "", "tomorrow", "0", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 31 Feb 1994 08:49:37 GMT",
            "Tue, 29 Feb 1900 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 23:60:00 GMT",
            "Sun, 06 Nov 1994 23:59:61 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
            "Foo, 06 Nov 1994 08:49:37 GMT",
            "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, +6 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
            "Sunday, 06-Nov 08:49:37 GMT",
            "Sun Nov 006 08:49:37 1994", "Sun, 06 Nov 0000 08:49:37 GMT", "1994-11-06T08:49:37Z",
            "Sun, 06 Nov 99999 08:49:37 GMT",
        ])
    func refused(text: String) {
        #expect(HTTPDate.parse(text, now: now) == nil)
    }

    @Test("E6 random dates are written and read back, with the weekday that Foundation counts")
    func roundTrip() {
        var generator = SeededGenerator(seed: 2)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for _ in 0..<500 {
            let seconds = Int.random(in: -5_000_000_000...20_000_000_000, using: &generator)
            let date = Date(timeIntervalSince1970: Double(seconds))
            let text = HTTPDate.format(date)
            #expect(HTTPDate.parse(text, now: now) == date)
            let parts = calendar.dateComponents([.weekday, .day, .year], from: date)
            let weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][(parts.weekday ?? 1) - 1]
            #expect(text.hasPrefix("\(weekday), "))
            #expect(text.utf8.count == 29)
            #expect(text.contains(" \(parts.year ?? 0) ") || (parts.year ?? 0) < 1000)
        }
    }

    @Test("E6 dates out of range are clamped, fractions are dropped")
    func extremes() {
        #expect(HTTPDate.format(Date(timeIntervalSince1970: 784_111_777.9)) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.format(Date(timeIntervalSince1970: -0.5)) == "Wed, 31 Dec 1969 23:59:59 GMT")
        #expect(HTTPDate.format(Date(timeIntervalSince1970: .infinity)) == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(HTTPDate.format(Date(timeIntervalSince1970: -1e300)) == "Mon, 01 Jan 0001 00:00:00 GMT")
        #expect(HTTPDate.format(Date(timeIntervalSince1970: .nan)) == "Mon, 01 Jan 0001 00:00:00 GMT")
    }
}
