import GodwitJSON
import Testing

@Suite("J2 Elements of an array")
struct JSONElementSplitterTests {
    @Test(
        "J2 the elements at a path are found, wherever the chunks break",
        arguments: [
            ("[]", "", []),
            (" [ ] \n", "", []),
            ("[1,-2.5e+3 , true,false,null]", "", ["1", "-2.5e+3", "true", "false", "null"]),
            (#"["a","",{"b":[1,"]}"]},[[]],{}]"#, "", [#""a""#, #""""#, #"{"b":[1,"]}"]}"#, "[[]]", "{}"]),
            (#"{"items":[1,2]}"#, "items", ["1", "2"]),
            (
                #"{"n":0,"data":{"x":[9],"items":[{"id":1}, {"id":2}],"y":{}},"z":[[]]}"#, "data.items",
                [#"{"id":1}"#, #"{"id":2}"#]
            ),
            (#"{"items":{"items":[0]},"other":{"items":[1]}}"#, "other.items", ["1"]),
            (#"{"results":[{"rows":[1]},{"rows":[2]}]}"#, "results[1].rows", ["2"]),
            ("[[1],[2,3],[4]]", "[1]", ["2", "3"]),
            ("[[[1]],[[2],[3]]]", "[1][1]", ["3"]),
            (#"{"a.b":{"[":[7]}}"#, #"['a.b']["["]"#, ["7"]),
            (#"{"it\u0065ms":["\\","\"","\u00e9"]}"#, "items", [#""\\""#, #""\"""#, #""\u00e9""#]),
            (#"{"\ud83d\udc26\n\/":[1]}"#, "🐦\n/", ["1"]),
            (#"{"größe":["ü€😀"]}"#, "größe", [#""ü€😀""#]),
            ("\u{FEFF}[1]", "", ["1"]),
            ("\u{FEFF} {\"a\":[1]}\r\n\t", "a", ["1"]),
            (#"{"skipped":"ü€😀\ud800 \t","a":[1]}"#, "a", ["1"]),
        ] as [(String, String, [String])])
    func found(_ text: String, _ path: String, _ elements: [String]) {
        for splitting in Splitting.everywhere(text, at: path) {
            #expect(splitting.elements == elements)
            #expect(splitting.error == nil)
        }
    }

    @Test(
        "J2 if a key occurs more than once, the first array at the path counts",
        arguments: [
            (#"{"a":[1],"a":[2]}"#, "a"), (#"{"a":null,"a":[1]}"#, "a"), (#"{"a":{},"a":{"b":[1]}}"#, "a.b"),
            (#"{"a":{"b":0},"a":{"b":[1]},"a":{"b":[2]}}"#, "a.b"),
        ])
    func duplicates(_ text: String, _ path: String) {
        for splitting in Splitting.everywhere(text, at: path) {
            #expect(splitting.elements == ["1"])
            #expect(splitting.error == nil)
        }
    }

    @Test("J2 chunks may be empty, slices, or added before the earlier ones are read")
    func chunks() throws {
        let whole = Data("....[1,22,333]....".utf8)
        var splitter = try JSONElementSplitter(at: "")
        splitter.append(Data())
        splitter.append(whole[4..<8])
        #expect(try splitter.next() == Data("1".utf8))
        splitter.append(whole[8..<10])
        splitter.append(whole[10..<14])
        #expect(try splitter.next() == Data("22".utf8))
        #expect(try splitter.next() == Data("333".utf8))
        #expect(try splitter.next() == nil)
        #expect(try splitter.next() == nil)
        try splitter.finish()
    }

    @Test("J2 an element can be as large as the limit, and no larger, wherever the chunks break")
    func limit() {
        for element in [#""abcdef""#, "12345678", #"[{},"a"]"#] {
            for splitting in Splitting.everywhere("{\"a\":[0,\(element),1]}", at: "a", elementLimit: 8) {
                #expect(splitting.elements == ["0", element, "1"])
            }
            for splitting in Splitting.everywhere("{\"a\":[0,\(element),1]}", at: "a", elementLimit: 7) {
                #expect(splitting.elements == ["0"])
                #expect(splitting.error == .tooLarge(limit: 7))
            }
        }
        #expect(Splitting("[1]", at: "", elementLimit: .min).error == .tooLarge(limit: .min))
    }

    @Test("J2 an element that never ends throws at the limit, long before the end")
    func endless() throws {
        var splitter = try JSONElementSplitter(at: "", elementLimit: 1000)
        splitter.append(Data("[\"".utf8))
        #expect(try splitter.next() == nil)
        for _ in 0..<9 {
            splitter.append(Data(repeating: UInt8(ascii: "a"), count: 100))
            #expect(try splitter.next() == nil)
        }
        splitter.append(Data(repeating: UInt8(ascii: "a"), count: 100))
        #expect(throws: JSONElementError.tooLarge(limit: 1000)) { try splitter.next() }
    }

    @Test(
        "J2 nesting is limited in the whole document: outside of elements and inside",
        arguments: [("", "", 0), ("{\"a\":[", "]}", 2), ("{\"b\":", ",\"a\":[]}", 1)])
    func depth(_ before: String, _ after: String, _ outer: Int) {
        func document(_ depth: Int) -> String {
            before + String(repeating: "[", count: depth - outer) + String(repeating: "]", count: depth - outer) + after
        }
        let path = before.isEmpty ? "" : "a"
        #expect(Splitting(document(512), at: path).error == nil)
        #expect(Splitting(document(513), at: path).error?.description.contains("expected less nesting") == true)
        #expect(Splitting(document(9), at: path, maximumDepth: 9).error == nil)
        #expect(Splitting(document(10), at: path, maximumDepth: 9).error != nil)
        #expect(Splitting(document(100_000), at: path, maximumDepth: .max).error == nil)
        #expect(Splitting(document(2), at: path, maximumDepth: .min).error != nil)
    }
}
