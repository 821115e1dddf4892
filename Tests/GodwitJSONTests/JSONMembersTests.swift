import GodwitJSON
import Testing

@Suite("W5 members of JSON objects as they are written")
struct JSONMembersTests {
    private func members(_ text: String) -> [String]? {
        JSONMembers(Array(text.utf8))?.members.map { "\($0.name)=\(String(decoding: $0.value, as: UTF8.self))" }
    }

    @Test(
        "W5 values keep every digit and character",
        arguments: [
            ("{}", []), (" { } ", []), (#"{"a":1}"#, ["a=1"]),
            (
                #"{"a":18446744073709551615,"b":0.1234567890123456789012345}"#,
                ["a=18446744073709551615", "b=0.1234567890123456789012345"]
            ),
            (
                #"{ "a" : { "b" : [1, {"c": "}"}] } , "d" : "x,\"y" }"#,
                [#"a={ "b" : [1, {"c": "}"}] }"#, #"d="x,\"y""#]
            ),
            (#"{"a":1,"a":2}"#, ["a=1", "a=2"]), (#"{"\u00e9\n":null}"#, ["\u{E9}\n=null"]), (#"{"":[]}"#, ["=[]"]),
            ("{\"a\"\n:\ttrue}", ["a=true"]), (#"{"a":1e999}"#, ["a=1e999"]),
        ])
    func read(text: String, expected: [String]) {
        #expect(members(text) == expected)
    }

    @Test(
        "W5 what is not an object is refused, wherever it is cut",
        arguments: [
            "", " ", "[]", "1", "null", "{", #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1,"#, #"{"a":1,}"#, #"{"a" 1}"#,
            #"{a:1}"#,
            #"{"a":1}x"#, #"{"a":"x}"#, #"{"a":[1}"#, #"{"a":}"#, #"{,}"#, #"{"a\":1}"#, #"{"a":"\"#, #"{"\ud800":1}"#,
        ])
    func refused(text: String) {
        // A value is looked at when it is decoded; what is no object at all has no members.
        if let members = JSONMembers(Array(text.utf8)) {
            #expect((try? JSONDecoder().decode(Any1.self, from: Data(members.text))) == nil)
        }
    }

    @Test(
        "W5 what is written reads back, whatever the name",
        arguments: ["a", "", "\"", "\\", "\u{0}\u{1F}", "\u{E9}\u{1F600}", "/"])
    func written(name: String) throws {
        let members = JSONMembers([.init(name, Array("1".utf8)), .init("z", Array("[2]".utf8))])
        #expect(JSONMembers(members.text) == members)
        #expect(try JSONDecoder().decode([String: Any1].self, from: Data(members.text)).keys.contains(name))
    }

    private struct Any1: Decodable {
        init(from decoder: any Decoder) throws {}
    }
}
