import GodwitWire
import Testing

@Suite("T7 content codings on top of each other")
struct ContentCodingsTests {
    @Test(
        "T7 codings are read in their order, without identity",
        arguments: [
            ("", []), ("identity", []), ("gzip", ["gzip"]), ("GZIP, Identity,\tbr", ["gzip", "br"]),
            (",,gzip,", ["gzip"]),
        ])
    func read(value: String, expected: [String]) {
        #expect(ContentCodings(value).applied == expected)
        #expect(ContentCodings(value).fault == nil)
    }

    @Test("T7 five are undone, more are refused", arguments: [(5, false), (6, true), (60, true)])
    func refused(count: Int, isRefused: Bool) {
        let value = Array(repeating: "gzip", count: count).joined(separator: ", ")
        #expect((ContentCodings(value).fault != nil) == isRefused)
    }
}
