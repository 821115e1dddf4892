import GodwitSupport
import Testing

@testable import GodwitGenerator

@Suite("G4 Values are checked against the schemas of a document")
struct SchemaValidatorTests {
    @Test(
        "G4 a keyword accepts some values and refuses others, in words",
        arguments: [
            (#"{}"#, #"{"a": [1, null]}"#, []),
            (#"true"#, "1", []), (#"false"#, "1", ["is not allowed"]),
            (#"{"type": "string"}"#, #""a""#, []),
            (#"{"type": "string"}"#, "1", ["must be a string, but is an integer"]),
            (#"{"type": ["string", "null"]}"#, "null", []),
            (#"{"type": ["string", "null"]}"#, "{}", ["must be a string or null, but is an object"]),
            (#"{"type": "integer"}"#, "1.0", []), (#"{"type": "integer"}"#, "1e2", []),
            (#"{"type": "integer"}"#, "1.5", ["must be an integer, but is a number"]),
            (#"{"type": "number"}"#, "1.5", []), (#"{"type": "mystery"}"#, "1.5", []),
            (#"{"enum": [1, "a", null]}"#, "1.0", []), (#"{"enum": [1, "a"]}"#, #""b""#, [#"must be one of 1, "a""#]),
            (#"{"enum": ["é"]}"#, #""e\u0301""#, [#"must be "é""#]),
            (#"{"const": {"a": 1, "b": 2}}"#, #"{"b": 2.0, "a": 1}"#, []), (#"{"const": 1}"#, "2", ["must be 1"]),
            (#"{"minimum": 1, "maximum": 3}"#, "1", []), (#"{"minimum": 1}"#, "0.9", ["must be at least 1"]),
            (#"{"maximum": 3}"#, "3.0000000000000000000001", ["must be at most 3"]),
            (#"{"minimum": 9007199254740993}"#, "9007199254740992", ["must be at least 9007199254740993"]),
            (#"{"exclusiveMinimum": 1, "exclusiveMaximum": 3}"#, "2", []),
            (#"{"exclusiveMinimum": 1}"#, "1", ["must be greater than 1"]),
            (#"{"exclusiveMaximum": 3}"#, "3", ["must be less than 3"]),
            (#"{"multipleOf": 0.1}"#, "0.3", []), (#"{"multipleOf": 0.1}"#, "0.35", ["must be a multiple of 0.1"]),
            (#"{"multipleOf": 7}"#, "7e99999999999999999999", []), (#"{"multipleOf": 0}"#, "1", []),
            (#"{"minimum": 1}"#, #""a""#, []),
            (#"{"minLength": 2, "maxLength": 2}"#, #""🇩🇪""#, []),
            (#"{"minLength": 1}"#, #""""#, ["must have at least 1 character"]),
            (#"{"maxLength": 2}"#, #""abc""#, ["must have at most 2 characters"]),
            (#"{"pattern": "^[a-z]+$"}"#, #""abc""#, []),
            (#"{"pattern": "^[a-z]+$"}"#, #""a1""#, ["must match the pattern ^[a-z]+$"]),
            (#"{"pattern": "(?=a)b"}"#, #""c""#, []),
            (#"{"minItems": 1, "maxItems": 2}"#, "[1]", []),
            (#"{"minItems": 1}"#, "[]", ["must have at least 1 element"]),
            (#"{"maxItems": 1}"#, "[1, 2]", ["must have at most 1 element"]),
            (#"{"uniqueItems": true}"#, #"[1, "1", [1]]"#, []),
            (#"{"uniqueItems": true}"#, "[1, 1.0]", ["must not have an element twice"]),
            (
                #"{"items": {"type": "integer"}}"#, #"[1, "a", true]"#,
                ["/1 must be an integer, but is a string", "/2 must be an integer, but is a boolean"]
            ),
            (#"{"prefixItems": [{"type": "string"}], "items": false}"#, #"["a"]"#, []),
            (
                #"{"prefixItems": [{"type": "string"}], "items": false}"#, #"[1, 2]"#,
                ["/0 must be a string, but is an integer", "/1 is not allowed"]
            ),
            (#"{"required": ["a"], "properties": {"a": {"type": "string"}}}"#, "{}", ["/a is required"]),
            (
                #"{"properties": {"a/b": {"type": "string"}}}"#, #"{"a/b": 1, "c": 2}"#,
                ["/a~1b must be a string, but is an integer"]
            ),
            (#"{"properties": {"a": {}}, "additionalProperties": false}"#, #"{"a": 1, "b": 2}"#, ["/b is not allowed"]),
            (
                #"{"patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": {"type": "integer"}}"#,
                #"{"x-a": "b", "x-b": 1, "c": "d"}"#,
                ["/x-b must be a string, but is an integer", "/c must be an integer, but is a string"]
            ),
            (#"{"minProperties": 1, "maxProperties": 1}"#, "{}", ["must have at least 1 member"]),
            (#"{"maxProperties": 1}"#, #"{"a": 1, "b": 2}"#, ["must have at most 1 member"]),
        ] as [(String, String, [String])])
    func keywords(schema: String, value: String, problems: [String]) throws {
        #expect(try SchemaDocument(schema).problems(value) == problems)
    }

    @Test(
        "G4 schemas that are composed or refer to others are checked together",
        arguments: [
            (#"{"allOf": [{"minimum": 1}, {"maximum": 3}]}"#, "0", ["must be at least 1"]),
            (#"{"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 5}]}"#, "7", []),
            (#"{"anyOf": [{"type": "null"}, {"type": "integer", "minimum": 5}]}"#, "4", ["must be at least 5"]),
            (#"{"anyOf": [{"minimum": 5}, {"multipleOf": 3}]}"#, "4", ["matches none of the 2 schemas of `anyOf`"]),
            (#"{"oneOf": [{"multipleOf": 2}, {"multipleOf": 3}]}"#, "4", []),
            (#"{"oneOf": [{"multipleOf": 2}, {"multipleOf": 3}]}"#, "6", ["matches more than one schema of `oneOf`"]),
            (#"{"not": {"type": "string"}}"#, "1", []),
            (#"{"not": {"type": "string"}}"#, #""a""#, ["is excluded by `not`"]),
            (##"{"$ref": "#/components/schemas/Tree"}"##, #"{"name": "a", "children": [{"name": "b"}]}"#, []),
            (
                ##"{"$ref": "#/components/schemas/Tree"}"##, #"{"name": "a", "children": [{"children": [{}]}]}"#,
                ["/children/0/name is required", "/children/0/children/0/name is required"]
            ),
            (
                ##"{"$ref": "#/components/schemas/Tree", "maxProperties": 1}"##, #"{"name": "a", "b": 1}"#,
                ["must have at most 1 member"]
            ),
            (##"{"$ref": "#/components/schemas/Loop"}"##, "1", []),
            (##"{"$ref": "#/components/schemas/None"}"##, "1", []),
            (##"{"$ref": "#/components/schemas/Pet"}"##, #"{"kind": "cat", "lives": 9}"#, []),
            (
                ##"{"$ref": "#/components/schemas/Pet"}"##, #"{"kind": "cat", "lives": 10}"#,
                ["/lives must be at most 9"]
            ),
            (##"{"$ref": "#/components/schemas/Pet"}"##, #"{"kind": "Dog", "lives": 10}"#, ["/barks is required"]),
        ] as [(String, String, [String])])
    func composition(schema: String, value: String, problems: [String]) throws {
        #expect(try SchemaDocument(schema).problems(value).sorted() == problems.sorted())
    }

    @Test(
        "G4 formats with a reader are checked, others aren't",
        arguments: [
            ("date-time", #""2026-03-01T12:30:00.5+01:00""#, true), ("date-time", #""2026-03-01""#, false),
            ("date", #""2026-02-28""#, true), ("date", #""2026-02-30""#, false),
            ("date", #""2026-02-28T00:00:00Z""#, false),
            ("uuid", #""7f4c1b2a-0d3e-4a5b-8c6d-9e0f1a2b3c4d""#, true), ("uuid", #""7f4c""#, false),
            ("ipv4", #""192.0.2.1""#, true), ("ipv4", #""192.0.2.256""#, false),
            ("ipv6", #""2001:db8::1""#, true), ("ipv6", #""1::2::3""#, false),
            ("byte", #""R29k""#, true), ("byte", #""R29""#, false), ("color", #""x""#, true),
            ("int32", "2147483647", true), ("int32", "2147483648", false), ("int64", "-9223372036854775808", true),
            ("int64", "9223372036854775808", false),
        ])
    func formats(format: String, value: String, isAccepted: Bool) throws {
        #expect(try SchemaDocument(#"{"format": "\#(format)"}"#).problems(value).isEmpty == isAccepted)
    }

    @Test("G4 3.0 has boolean limits and nullable, and ignores what accompanies a reference")
    func version30() throws {
        let limits = try SchemaDocument(
            #"{"type": "integer", "nullable": true, "minimum": 1, "exclusiveMinimum": true, "maximum": 3, "exclusiveMaximum": false}"#,
            version: "3.0.3")
        #expect(try limits.problems("1") == ["must be greater than 1"])
        #expect(try ["null", "2", "3"].allSatisfy { try limits.problems($0).isEmpty })
        let reference = try SchemaDocument(
            ##"{"$ref": "#/components/schemas/Tree", "maxProperties": 0}"##, version: "3.0.3")
        #expect(try reference.problems(#"{"name": "a"}"#).isEmpty)
        #expect(try SchemaDocument(#"{"type": "string"}"#, version: "3.0.3").problems("null").count == 1)
    }

    @Test("G4 what only the other side sends isn't required, also if another part of the schema requires it")
    func directions() throws {
        let schema = try SchemaDocument(
            """
            {"allOf": [{"properties": {"id": {"readOnly": true}, "password": {"writeOnly": true}}},
              {"required": ["id", "password"]}]}
            """)
        #expect(try schema.problems("{}", .request) == ["/password is required"])
        #expect(try schema.problems("{}", .response) == ["/id is required"])
    }

    @Test("G4 as many violations are listed as a person reads, and long names and words are cut")
    func bounds() throws {
        let list = try SchemaDocument(#"{"items": {"type": "string"}}"#)
        #expect(try list.problems("[\(Array(repeating: "1", count: 100).joined(separator: ","))]").count == 20)
        let name = String(repeating: "n", count: 5000)
        let closed = try SchemaDocument(#"{"additionalProperties": {"items": {"type": "string"}}}"#)
        #expect(try closed.problems(#"{"\#(name)": [1]}"#).allSatisfy { $0.utf8.count < 300 })
        let words = try SchemaDocument(#"{"enum": ["\#(name)", "b"]}"#)
        #expect(try words.problems("1").allSatisfy { $0.utf8.count < 300 })
    }

    @Test("G4 no value makes a check take long: beyond the limits, it is accepted")
    func hostileValues() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        let tree = try SchemaDocument(##"{"$ref": "#/components/schemas/Twice"}"##)
        // 2^90 ways without a limit.
        #expect(try tree.problems(nested(90)).isEmpty)
        #expect(try tree.problems(nested(400)) == ["too large"])
        let wide = nested(60).replacing("[]", with: "[\(Array(repeating: "1", count: 100_000).joined(separator: ","))]")
        #expect(try tree.problems(wide).isEmpty)
        let pattern = try SchemaDocument(#"{"pattern": "(a+)+(a+)+(a+)+$"}"#)
        #expect(try pattern.problems("\"\(String(repeating: "a", count: 400_000))b\"").isEmpty)
        let deep = try SchemaDocument(
            String(repeating: #"{"not": "#, count: 200) + "{}" + String(repeating: "}", count: 200))
        #expect(try deep.problems("1").isEmpty)
        let odd =
            #"{"type": 1, "enum": 2, "required": "a", "properties": [], "items": 3, "minLength": -1.5, "maxItems": 1e999, "pattern": 4, "allOf": {}, "oneOf": "b", "multipleOf": -3}"#
        for value in ["1", #""a""#, "[1]", #"{"a": 1}"#, "null", "3e9223372036854775807", "-1e-9223372036854775808"] {
            _ = try SchemaDocument(odd).problems(value)
        }
    }
}
