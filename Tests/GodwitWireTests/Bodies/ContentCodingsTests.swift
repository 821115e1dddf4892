import GodwitWire
import Testing

@Suite("T7 nested content codings")
struct ContentCodingsTests {
    @Test(
        "T7 codings are parsed in order, without identity",
        arguments: [
            ("", []), ("identity", []), ("gzip", ["gzip"]), ("GZIP, Identity,\tbr", ["gzip", "br"]),
            (",,gzip,", ["gzip"]),
        ])
    func read(value: String, expected: [String]) {
        #expect(ContentCodings(value).applied == expected)
        #expect(ContentCodings(value).fault == nil)
    }

    @Test("T7 five are decoded, more are rejected", arguments: [(5, false), (6, true), (60, true)])
    func refused(count: Int, isRefused: Bool) {
        let value = Array(repeating: "gzip", count: count).joined(separator: ", ")
        #expect((ContentCodings(value).fault != nil) == isRefused)
    }
}
