import GodwitWire
import Testing

@Suite("B4 which bodies are compressed for which clients")
struct AcceptedCodingsTests {
    @Test(
        "B4 Accept-Encoding names codings, with weights (RFC 9110 section 12.5.3)",
        arguments: [
            ("gzip", true), ("br, GZip;q=0.5", true), ("*", true), ("identity, *;q=0.1", true), ("", false),
            ("identity", false), ("gzip;q=0, *", false), ("gzip; Q=0.000", false), ("br", false), (",,;q=1", false),
            ("gzip;q=x", true),
        ])
    func accepted(text: String, takesGzip: Bool) {
        #expect(AcceptedCodings(text).allow("gzip") == takesGzip)
    }

    @Test(
        "B4 media types that are already compressed are recognized",
        arguments: [
            ("image/jpeg", true), ("image/svg+xml", false), ("image/bmp", false), ("video/mp4", true),
            ("audio/ogg", true),
            ("font/woff2", true), ("font/ttf", false), ("application/zip", true), ("application/epub+zip", true),
            ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", true),
            ("application/json", false),
            ("application/octet-stream", false), ("text/plain", false), ("multipart/form-data; boundary=x", false),
        ])
    func compressed(type: String, isCompressed: Bool) throws {
        #expect(try #require(MediaType(type)).isCompressed == isCompressed)
    }
}
