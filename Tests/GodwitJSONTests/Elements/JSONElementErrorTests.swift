import GodwitJSON
import Testing

@Suite("J3 Errors of an array's elements")
struct JSONElementErrorTests {
    @Test(
        "J3 a missing array is named, with the near miss or what is there",
        arguments: [
            (#"{"item":[1]}"#, "items", "`items` is missing; there is `item`"),
            (#"{"data":{"id":1,"Item_s":[1],"rows":[]}}"#, "data.items", "`data.items` is missing; there is `Item_s`"),
            (#"{"a":[],"b":[]}"#, "items", "`items` is missing; there are `a`, `b`"),
            (#"{"a":[]}"#, "items", "`items` is missing; there is `a`"),
            (
                #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}"#, "items",
                "`items` is missing; there are `a`, `b`, `c`, `d` and 2 more"
            ),
            ("{}", "items", "`items` is missing; the object is empty"),
            (#"{"data":{}}"#, "data.items", "`data.items` is missing; the object is empty"),
            (#"{"other":{"items":[]}}"#, "data.items", "`data` is missing; there is `other`"),
            (#"{"results":[{"rows":[]}]}"#, "results[1].rows", "`results[1]` is missing; the array has 1 element"),
            ("[]", "[0]", "`[0]` is missing; the array has 0 elements"),
            (#"{"a\nb":1}"#, "items", "`items` is missing; there is `a\u{FFFD}b`"),
        ])
    func missing(_ text: String, _ path: String, _ description: String) {
        for splitting in Splitting.everywhere(text, at: path) {
            #expect(splitting.error?.description == description)
            #expect(splitting.elements.isEmpty)
        }
    }

    @Test(
        "J3 a value of another type at the path, or on the way to it, is named",
        arguments: [
            (#"{"items":null}"#, "items", "`items`: expected an array, found null"),
            (#"{"items":"a"}"#, "items", "`items`: expected an array, found a string"),
            (#"{"items":-1}"#, "items", "`items`: expected an array, found a number"),
            (#"{"items":{"rows":[1],"n":1}}"#, "items", "`items`: expected an array, found an object with `rows`, `n`"),
            (#"{"items":{}}"#, "items", "`items`: expected an array, found an empty object"),
            (#"{"items":[]}"#, "", "expected an array, found an object with `items`"),
            ("true", "", "expected an array, found true"),
            ("12", "", "expected an array, found a number"),
            ("[{}]", "items", "expected an object, found an array"),
            (#"{"data":[]}"#, "data.items", "`data`: expected an object, found an array"),
            (#"{"data":{}}"#, "data[0]", "`data`: expected an array, found an object"),
            (#"{"data":false}"#, "data[0].rows", "`data`: expected an array, found false"),
        ])
    func wrongType(_ text: String, _ path: String, _ description: String) {
        for splitting in Splitting.everywhere(text, at: path) {
            #expect(splitting.error?.description == description)
            #expect(splitting.elements.isEmpty)
        }
    }

    @Test(
        "J2 text outside of elements must be JSON; the error has the position, wherever the chunks break",
        arguments: [
            ("", 0, "expected a value"),
            ("  ", 2, "expected a value"),
            ("[1,2", 4, #"expected "," or "]""#),
            ("[1,", 3, "expected a value"),
            ("[\"a", 3, "expected the end of an element"),
            ("[1,]", 3, #"expected a value, found "]""#),
            ("[,1]", 1, #"expected a value or "]", found ",""#),
            ("[1 2]", 3, #"expected "," or "]", found "2""#),
            ("[{}{}]", 3, #"expected "," or "]", found "{""#),
            ("[1}", 2, #"expected "," or "]", found "}""#),
            ("[01]", 2, #"expected "," or "]", found "1""#),
            ("[-]", 2, #"expected a digit, found "]""#),
            ("[1.]", 3, #"expected a digit, found "]""#),
            ("[1e+]", 4, #"expected a digit, found "]""#),
            ("[+1]", 1, #"expected a value or "]", found "+""#),
            ("[nul]", 4, #"expected null, found "]""#),
            ("[trUe]", 3, #"expected true, found "U""#),
            ("[1] x", 4, #"expected the end of the document, found "x""#),
            ("[1][2]", 3, #"expected the end of the document, found "[""#),
            ("[1],", 3, #"expected the end of the document, found ",""#),
            (#"{"a":[1],"b":tru"#, 16, "expected true"),
            (#"{"a":[1],"b":1"#, 14, #"expected "," or "}""#),
            (#"{"a":[1],}"#, 9, #"expected a key in quotes, found "}""#),
            (#"{"a" [1]}"#, 5, #"expected ":", found "[""#),
            (#"{a:[1]}"#, 1, #"expected a key in quotes or "}", found "a""#),
            (#"{"a":[1],"b":"\x"}"#, 15, #"expected one of "\/bfnrtu after the backslash, found "x""#),
            (#"{"a":[1],"b":"\u12g4"}"#, 18, #"expected a hexadecimal digit, found "g""#),
            ("{\"a\":[1],\"b\":\"\n\"}", 14, "expected an escape for the control character, found \"0xa\""),
            ("{\"a\":[1],\"b\":\"\u{1}\"}", 14, "expected an escape for the control character, found \"0x1\""),
            ("[1,\u{C}1]", 3, "expected a value, found \"0xc\""),
        ])
    func syntax(_ text: String, _ offset: Int, _ reason: String) {
        let path = text.hasPrefix("{") ? "a" : ""
        for splitting in Splitting.everywhere(text, at: path) {
            guard case .syntax(let error) = splitting.error else {
                Issue.record("\(text): \(String(describing: splitting.error))")
                continue
            }
            #expect("\(error)" == "line \(error.line), column \(error.column): \(reason)")
            #expect(error.offset == offset)
            #expect((error.line, error.column) == (text.utf8.prefix(offset).contains(0x0A) ? 2 : 1, offset + 1))
        }
    }

    @Test("J3 line and column count lines and characters, across chunks")
    func position() {
        let long = String(repeating: "ü€😀 ", count: 20)
        let text = "\u{FEFF}{\n\"a\": [1,\n 2],\r\n\"\(long)\": \"\(long)\" x}"
        for splitting in Splitting.everywhere(text, at: "a") {
            guard case .syntax(let error) = splitting.error else {
                Issue.record("no error")
                continue
            }
            #expect("\(error)" == #"line 4, column 168: expected "," or "}", found "x""#)
            #expect(error.offset == text.utf8.count - 2)
            #expect(splitting.elements == ["1", "2"])
        }
        #expect(Splitting("\u{FEFF}[}", at: "").error?.description.hasPrefix("line 1, column 2:") == true)
    }

    @Test(
        "J2 text outside of elements must be UTF-8 (RFC 3629)",
        arguments: [
            [0x80], [0xC0, 0xAF], [0xC1, 0x81], [0xC3, 0x28], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82],
            [0xF0, 0x80, 0x80, 0xAF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func encoding(_ bytes: [UInt8]) {
        let data = Data("{\"a\":[1],\"b\":\"".utf8) + bytes + Data("\"}".utf8)
        for chunks in [[data], data.map { Data([$0]) }] {
            let splitting = Splitting(chunks, at: "a")
            #expect(splitting.elements == ["1"])
            guard case .syntax(let error) = splitting.error else {
                Issue.record("no error")
                continue
            }
            #expect(error.expectation == "expected UTF-8")
        }
        #expect(Splitting([Data([0xEF, 0xBB]), Data("[]".utf8)], at: "").error != nil)
    }

    @Test(
        "J3 a path that can't be parsed is named",
        arguments: [
            (".a", "a key is empty"), ("a..b", "a key is empty"), ("a.", "a key is empty"), ("a.[0]", "a key is empty"),
            ("[0]a", "expected `.` or `[` after `]`"),
            ("a[", "brackets need an index or a quoted key, such as [0] or ['a.b']"),
            ("a[x]", "brackets need an index or a quoted key, such as [0] or ['a.b']"),
            ("a[-1]", "brackets need an index or a quoted key, such as [0] or ['a.b']"),
            ("a[99999999999999999999]", "brackets need an index or a quoted key, such as [0] or ['a.b']"),
            ("a['b]", "a quoted key needs '] at its end"), (#"a["b"x]"#, #"a quoted key needs "] at its end"#),
        ])
    func path(_ path: String, _ reason: String) {
        let error = #expect(throws: JSONElementError.self) { _ = try JSONElementSplitter(at: path) }
        #expect(error == .invalidPath(path, reason: reason))
        #expect(error?.description == "`\(path)` is not a path: \(reason)")
    }
}
