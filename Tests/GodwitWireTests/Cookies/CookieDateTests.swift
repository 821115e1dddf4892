import GodwitWire
import Testing

@Suite("K1 RFC 6265bis 5.1.1 dates")
struct CookieDateTests {
    @Test(
        "K1 RFC 6265bis 5.1.1 a date is read in all the odd forms that servers send",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Sun, 06-Nov-1994 08:49:37 GMT", 784_111_777),
            ("06 Nov 1994 08:49:37", 784_111_777), ("1994 Nov 6 8:49:37", 784_111_777),
            ("08:49:37 6 november 94", 784_111_777), ("06nov 06november 1994x 08:49:37zone", nil),
            ("6th Novembro 1994AD 8:49:37.5 PST", 784_111_777), ("Sun,06,Nov,1994,08:49:37", 784_111_777),
            ("6-NOV-1994/08:49:37+0200", 784_111_777), ("\t6\"Nov'1994(08:49:37)", 784_111_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 1 Jan 70 0:0:0", 0),
            ("Fri, 31 Dec 69 23:59:59", 3_155_759_999),
            ("1 Jan 00 00:00:00", 946_684_800), ("1 Jan 99 00:00:00", 915_148_800),
            ("29 Feb 2000 12:00:00", 951_825_600),
            ("1 Jan 1601 00:00:00", -11_644_473_600), ("31 Dec 9999 23:59:59", 253_402_300_799),
            ("1 Jan 111 00:00:00", nil), ("94 Nov 6 08:49:37", nil),
        ] as [(String, Double?)])
    func reading(text: String, seconds: Double?) {
        #expect(CookieDate.parse(text) == seconds.map(Date.init(timeIntervalSince1970:)))
    }

    @Test(
        "K1 RFC 6265bis 5.1.1 step 5 and 6: what is missing, out of range or not in the calendar is not a date",
        arguments: [
            "", "tomorrow", "0", "6 Nov 1994", "6 Nov 08:49:37", "Nov 1994 08:49:37", "6 1994 08:49:37",
            "32 Nov 1994 08:49:37", "0 Nov 1994 08:49:37", "6 Nov 1600 08:49:37", "6 Nov 1994 24:00:00",
            "6 Nov 1994 08:60:00", "6 Nov 1994 08:49:60", "31 Feb 1994 08:49:37", "29 Feb 1900 00:00:00",
            "6 Nov 19940 08:49:37", "6 Nov 1994 08:49", "6 Nov 1994 008:49:37", "6 Nov 1994 08:49:370",
            "006 Nov 1994 08:49:37", "6 No 1994 08:49:37", "6 Nov 1994 08:4x:37", "6 Nov 1994 :49:37",
            "1994-11-06T08:49:37Z",
        ])
    func refused(text: String) {
        #expect(CookieDate.parse(text) == nil)
    }

    @Test("K1 RFC 6265bis 5.1.1 each part is taken once, and the first that fits counts")
    func firstCounts() {
        #expect(
            CookieDate.parse("1 2 3 Jan Feb 1971 00:00:01 00:00:02") == Date(timeIntervalSince1970: 365 * 86_400 + 1))
        #expect(CookieDate.parse("06Nov 06 Nov 1994 08:49:37") == Date(timeIntervalSince1970: 1_162_802_977))
        #expect(
            CookieDate.parse("1 Jan Feb 1971 1972 00:00:01 00:00:02") == Date(timeIntervalSince1970: 365 * 86_400 + 1))
        #expect(CookieDate.parse("3 1 Jan 00:00:00") == nil)
        #expect(CookieDate.parse("2 71 Jan 00:00:00") == Date(timeIntervalSince1970: 366 * 86_400))
    }
}
