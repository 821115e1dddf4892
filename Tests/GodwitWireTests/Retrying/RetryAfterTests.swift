import GodwitWire
import Testing

@Suite struct RetryAfterTests {
    private let now = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        "E6 Retry-After is read in seconds and as a date",
        arguments: [
            ("120", Duration.seconds(120)), ("0", .zero), (" 5 ", .seconds(5)), ("007", .seconds(7)),
            ("Sun, 06 Nov 1994 08:50:37 GMT", .seconds(60)), ("Sunday, 06-Nov-94 08:49:38 GMT", .seconds(1)),
            ("Sun Nov  6 08:49:37 1994", .zero),
        ])
    func reading(value: String, expected: Duration) {
        #expect(RetryAfter.delay(value, now: now) == expected)
    }

    @Test(
        "E6 a date in the past means no delay",
        arguments: ["-1", "-99999999999999999999", "Sun, 06 Nov 1994 08:49:36 GMT", "Thu, 01 Jan 1970 00:00:00 GMT"])
    func past(value: String) {
        #expect(RetryAfter.delay(value, now: now) == .zero)
    }

    @Test(
        "E6 delays are limited to a year",
        arguments: ["31536001", "9223372036854775807", "99999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
    func absurd(value: String) {
        #expect(RetryAfter.delay(value, now: now) == .seconds(31_536_000))
    }

    @Test(
        "E6 invalid values are nil",
        arguments: ["", " ", "soon", "1.5", "+1", "--1", "-", "1 2", "0x10", "١", "1s", "Sun, 06 Nov"])
    func garbage(value: String) {
        #expect(RetryAfter.delay(value, now: now) == nil)
    }

    @Test("E6 the delay to a date includes fractions of the current second")
    func fraction() {
        let now = Date(timeIntervalSince1970: 784_111_776.5)
        #expect(RetryAfter.delay("Sun, 06 Nov 1994 08:49:37 GMT", now: now) == .milliseconds(500))
    }
}
