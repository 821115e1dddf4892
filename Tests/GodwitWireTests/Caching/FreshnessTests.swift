import GodwitWire
import Testing

@Suite("C1 freshness and age")
struct FreshnessTests {
    private func lifetime(_ fields: HTTPFields, status: Int = 200) -> TimeInterval {
        CachedResponse.sample(fields, status: status).lifetime
    }

    @Test("C1 RFC 9111 4.2.1 max-age wins over Expires")
    func maxAge() {
        #expect(lifetime([.cacheControl: "max-age=60", .expires: Moment.text(500), .date: Moment.text()]) == 60)
    }

    @Test("C1 RFC 9111 4.2.1 s-maxage is ignored by a private cache")
    func sharedMaxAge() {
        #expect(lifetime([.cacheControl: "s-maxage=500, max-age=60"]) == 60)
        #expect(lifetime([.cacheControl: "s-maxage=500"]) == 0)
    }

    @Test("C1 RFC 9111 4.2.1 else the time from Date to Expires counts")
    func expires() {
        #expect(lifetime([.expires: Moment.text(500), .date: Moment.text(-100)]) == 600)
        #expect(lifetime([.expires: Moment.text(-500), .date: Moment.text()]) == 0)
    }

    @Test("C1 RFC 9110 6.6.1 without a Date the time of arrival stands for it")
    func noDate() {
        #expect(lifetime([.expires: Moment.text(500)]) == 500)
        // One that cannot be read gives a date to expire no meaning.
        #expect(lifetime([.expires: Moment.text(500), .date: "yesterday"]) == 0)
    }

    @Test("C1 RFC 9111 5.3 an Expires that is not a date lies in the past", arguments: ["0", "-1", "never", ""])
    func invalidExpires(value: String) {
        #expect(lifetime([.expires: value, .lastModified: Moment.text(-1000)]) == 0)
    }

    @Test("C1 RFC 9111 4.2.1 of two Expires the first counts")
    func twoExpires() {
        #expect(lifetime([.expires: Moment.text(10), .expires: Moment.text(90), .date: Moment.text()]) == 10)
    }

    @Test("C1 RFC 9111 4.2.2 without either a tenth of the time since the last change is guessed, at most a day")
    func heuristic() {
        #expect(lifetime([.lastModified: Moment.text(-1000), .date: Moment.text()]) == 100)
        #expect(lifetime([.lastModified: Moment.text(-100_000_000), .date: Moment.text()]) == 86_400)
        #expect(lifetime([.lastModified: Moment.text(1000), .date: Moment.text()]) == 0)
        #expect(lifetime([.date: Moment.text()]) == 0)
    }

    @Test("C1 RFC 9111 4.2.2 nothing is guessed for a status that does not allow it")
    func heuristicStatus() {
        #expect(lifetime([.lastModified: Moment.text(-1000)], status: 302) == 0)
        #expect(lifetime([.lastModified: Moment.text(-1000), .cacheControl: "public"], status: 302) == 100)
    }

    @Test(
        "C1 RFC 9111 4.2.3 age is the larger of clock difference and Age plus delay, plus the time kept",
        arguments: [
            (nil, nil, 0.0, 10.0), (nil, -30.0, 0, 40), ("50", nil, 0, 60), ("50", -30, -5, 65), ("2", -30, -5, 40),
            (nil, 30, -5, 15),
        ] as [(String?, TimeInterval?, TimeInterval, TimeInterval)])
    func age(age: String?, made: TimeInterval?, requested: TimeInterval, expected: TimeInterval) {
        var fields: HTTPFields = [:]
        fields[.age] = age
        fields[.date] = made.map(Moment.text)
        #expect(CachedResponse.sample(fields, requested: requested).age(at: Moment.after(10)) == expected)
    }

    @Test(
        "C1 RFC 9111 5.1 of an Age list the first counts, and one that cannot be read is ignored",
        arguments: [("5, 9", 5.0), ("x", 0), ("-5", 0), ("5.5", 0), ("99999999999999999999", 2_147_483_648)])
    func ageField(value: String, expected: TimeInterval) {
        #expect(CachedResponse.sample([.age: value]).age(at: Moment.start) == expected)
    }

    @Test("C1 RFC 9111 4.2.3 a clock that is set back does not make a response younger")
    func clockSetBack() {
        #expect(CachedResponse.sample([.age: "5"]).age(at: Moment.after(-1000)) == 5)
    }

    @Test(
        "C1 RFC 9111 5.3 a date in another zone than GMT is not a date: what expires by it is not fresh",
        arguments: [
            ("Sun, 06 Nov 1994 09:49:37 UTC", Moment.text()), ("Sun, 06 Nov 1994 09:49:37 CET", Moment.text()),
            ("Sun, 06 Nov 1994 09:49:37 gmt", Moment.text()), ("Sunday, 06-Nov-94 09:49:37 UTC", Moment.text()),
            ("Sun, 06 Nov 1994 09:49:37 +0000", Moment.text()),
            // The server's own date has to be one as well.
            (Moment.text(3600), "Sun, 06 Nov 1994 08:49:37 UTC"), (Moment.text(3600), "now"),
        ])
    func wrongZone(expires: String, date: String) {
        #expect(CachedResponse.sample([.expires: expires, .date: date]).lifetime == 0)
    }

    @Test("C1 RFC 9111 5.3 in GMT, and with two dates that agree, it is fresh until then")
    func rightZone() {
        let response = CachedResponse.sample([.expires: Moment.text(3600), .date: Moment.text(), .date: Moment.text()])
        #expect(response.lifetime == 3600)
        #expect(CachedResponse.sample([.expires: Moment.text(3600)]).lifetime == 3600)
    }
}
