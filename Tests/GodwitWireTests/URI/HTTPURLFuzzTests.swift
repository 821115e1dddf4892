import GodwitWire
import GodwitTesting
import Testing

@Suite struct HTTPURLFuzzTests {
    /// Pieces that URLs are made of and parsers trip over.
    private static let pieces = [
        "http", "https", "HTTP", ":", "//", "/", "///", "?", "#", "@", "[", "]", "::", "::1", "1.2.3.4", "127.1", "a",
        "Z",
        "example.com", ".", "..", "%", "%2e", "%2F", "%zz", "%00", " ", "\\", "\u{0}", "\r\n", "ü", "\u{301}", "é",
        "\u{200D}",
        "😀", "80", ":443", ":0", "xn--", "&", "=", "+", ";", "|", "\"", "<", "{", "^", "`", "-", "_", "~", "\u{FEFF}",
    ]

    @Test("U5 random pieces never crash the parser, and what parses reads back as itself", arguments: UInt64(0)..<8)
    func pieces(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let base = try HTTPURL("https://base.example:8443/a/b?q#f")
        var parsed = 0
        for round in 0..<2500 {
            var text = round.isMultiple(of: 2) ? "http://h" : ""
            for _ in 0..<Int.random(in: 0..<9, using: &generator) {
                text += Self.pieces.randomElement(using: &generator) ?? ""
            }
            if let url = try? HTTPURL(text) {
                parsed += 1
                try expectStable(url)
            }
            if let url = try? base.resolving(text) { try expectStable(url) }
        }
        #expect(parsed > 100, "the test must reach the parser's good paths too")
    }

    @Test("U5 random bytes never crash the parser, and what parses reads back as itself", arguments: UInt64(100)..<104)
    func bytes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<2500 {
            let bytes = (0..<Int.random(in: 0..<24, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let tail = String(decoding: round.isMultiple(of: 3) ? bytes.map { $0 & 0x7F } : bytes, as: UTF8.self)
            for text in [tail, "http://" + tail, "https://h/" + tail, "http://h:80?" + tail] {
                if let url = try? HTTPURL(text) { try expectStable(url) }
            }
        }
    }

    private func expectStable(_ url: HTTPURL) throws {
        let again = try HTTPURL(url.absoluteString)
        #expect(again.absoluteString == url.absoluteString)
        #expect(again.origin == url.origin && again.path == url.path && again.query == url.query)
        #expect(url.absoluteString.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
        #expect(url.fragment?.utf8.allSatisfy { (0x21...0x7E).contains($0) } ?? true)
        #expect(url.path.hasPrefix("/"))
        #expect(!url.path.split(separator: "/").contains { [".", ".."].contains($0.lowercased()) })
        #expect(try url.resolving("") == url)
        #expect(try url.resolving(String(url.target.hasPrefix("//") ? "" : url.target)) == url)
    }
}
