import GodwitWire
import Testing

@Suite struct MediaTypeTests {
    @Test(
        "E2 a content type is read and written",
        arguments: [
            ("application/json", "application/json"), ("Text/HTML;Charset=UTF-8", "text/html; charset=UTF-8"),
            (" text/plain ; charset = x", "text/plain"), ("text/plain;charset=\"utf-8\"", "text/plain; charset=utf-8"),
            ("text/plain; charset=utf-8; charset=latin1", "text/plain; charset=utf-8"),
            ("multipart/form-data; boundary=\"a b;c\"", "multipart/form-data; boundary=\"a b;c\""),
            ("a/b; x=\"q\\\"\\\\\"", "a/b; x=\"q\\\"\\\\\""), ("a/b;", "a/b"), ("a/b;;;c=d;", "a/b; c=d"),
            ("a/b; =x; y=1", "a/b; y=1"), ("a/b; x; y=1", "a/b; y=1"), ("a/b; x=\"open", "a/b; x=open"),
            ("a/b; x=", "a/b"),
            ("a/b; x=\"1\" junk; y=2", "a/b; x=1; y=2"), ("a/b; x=ü", "a/b; x=\"ü\""), ("a/b; x=1 2", "a/b; x=\"1 2\""),
            ("a/b; x=\"1\r\nX: y\"; y=1", "a/b; y=1"), ("a/b; x=\u{0}", "a/b"),
        ])
    func reading(text: String, expected: String) throws {
        let type = try #require(MediaType(text))
        #expect(type.description == expected)
        #expect(MediaType(type.description) == type)
    }

    @Test(
        "E2 an invalid media type is nil",
        arguments: ["", "json", "a/", "/b", "a b/c", "a/b c", "a//b", "a/b, c/d", ";a=b", "ü/b"])
    func refused(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test("E2 parts and parameters are found ignoring case")
    func parts() throws {
        let type = try #require(MediaType("Multipart/Form-Data; BOUNDARY=AbC; Charset=UTF-8"))
        #expect(type.type == "multipart" && type.subtype == "form-data" && type.essence == "multipart/form-data")
        #expect(type.boundary == "AbC")
        #expect(type.charset == "utf-8")
        #expect(type.parameter("Boundary") == "AbC")
        #expect(type.parameter("none") == nil)
        #expect(type.parameters.map(\.name) == ["boundary", "charset"])
        #expect(try type.matches(#require(MediaType("multipart/form-data"))))
        #expect(!type.matches(.json))
    }

    @Test(
        "E2 JSON is also recognized by its suffix",
        arguments: [
            ("application/json", true), ("application/problem+json; charset=utf-8", true),
            ("application/vnd.api+JSON", true),
            ("text/json", true), ("application/x-ndjson", false), ("application/jsonp", false), ("image/json", false),
            ("text/html", false),
        ])
    func json(text: String, expected: Bool) throws {
        #expect(try #require(MediaType(text)).isJSON == expected)
    }

    @Test("E2 a parameter is set, or rejected if it is invalid")
    func setting() {
        #expect(MediaType.text.setting("CHARSET", to: "latin1")?.description == "text/plain; charset=latin1")
        #expect(MediaType.json.setting("profile", to: "a b")?.description == "application/json; profile=\"a b\"")
        for (name, value) in [("x", "a\r\nb"), ("x", ""), ("x y", "1"), ("", "1"), ("x", "\u{0}")] {
            #expect(MediaType.json.setting(name, to: value) == nil)
        }
    }

    @Test("E2 the well-known types read as themselves")
    func constants() {
        let all: [MediaType] = [.json, .problemJSON, .ndjson, .form, .octetStream, .eventStream, .text]
        let texts = [
            "application/json", "application/problem+json", "application/x-ndjson", "application/x-www-form-urlencoded",
            "application/octet-stream", "text/event-stream", "text/plain; charset=utf-8",
        ]
        #expect(all.map(\.description) == texts)
        #expect(texts.map { MediaType($0) } == all)
    }

    @Test("B2 a file's extension names its type, in any case")
    func fileExtensions() {
        #expect(MediaType(forFileExtension: "PNG")?.essence == "image/png")
        #expect(MediaType(forFileExtension: "jpeg") == MediaType(forFileExtension: "jpg"))
        #expect(MediaType(forFileExtension: "json") == .json)
        #expect(MediaType(forFileExtension: "txt") == .text)
        for unknown in ["", ".png", "nope", "p ng"] { #expect(MediaType(forFileExtension: unknown) == nil) }
    }
}
