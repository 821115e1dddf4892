import GodwitJSON
import Testing

/// Containers and decoders that are used after `decode` has returned, and data that isn't at the start of its buffer.
@Suite("J1 Decoders that outlive a call")
struct EscapingContainerTests {
    /// Keeps everything that a decoder gives.
    private struct Kept: Decodable {
        let decoder: any Decoder
        let keyed: KeyedDecodingContainer<AnyKey>
        var unkeyed: any UnkeyedDecodingContainer
        let superDecoder: any Decoder
        let missing: any Decoder

        init(from decoder: any Decoder) throws {
            self.decoder = decoder
            keyed = try decoder.container(keyedBy: AnyKey.self)
            _ = try keyed.decode(String.self, forKey: AnyKey("b"))
            unkeyed = try keyed.nestedUnkeyedContainer(forKey: AnyKey("list"))
            _ = try unkeyed.decode(String.self)
            superDecoder = try keyed.superDecoder(forKey: AnyKey("a"))
            missing = try keyed.superDecoder(forKey: AnyKey("none"))
        }
    }

    private struct Failing: Decodable {
        nonisolated(unsafe) static var kept: KeyedDecodingContainer<AnyKey>?
        init(from decoder: any Decoder) throws {
            Self.kept = try decoder.container(keyedBy: AnyKey.self)
            throw SchemaPlan.Missing()
        }
    }

    private static let json = #"{"a":"first","b":"second \u00e9","list":["one","two",{"x":[1.5,3]}],"many":{\#(many)}}"#
    private static let many = (0..<100).map { "\"key\($0)\":\($0)" }.joined(separator: ",")

    @Test("J1 containers kept by a value can be read after the call", arguments: [false, true])
    func kept(convertsKeys: Bool) throws {
        var decoder = JSONModelDecoder()
        if convertsKeys { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        var kept = try decoder.decode(Kept.self, from: Data(Self.json.utf8))
        // Allocations that would overwrite freed bytes.
        let noise = (0..<50).map { Data(repeating: UInt8($0), count: Self.json.utf8.count) }
        #expect(try kept.keyed.decode(String.self, forKey: AnyKey("a")) == "first")
        #expect(try kept.keyed.decode(String.self, forKey: AnyKey("b")) == "second é")
        #expect(try kept.unkeyed.decode(String.self) == "two")
        #expect(
            try kept.unkeyed.nestedContainer(keyedBy: AnyKey.self).decode([Double].self, forKey: AnyKey("x")) == [
                1.5, 3,
            ])
        #expect(try kept.superDecoder.singleValueContainer().decode(String.self) == "first")
        #expect(try kept.missing.singleValueContainer().decodeNil())
        #expect(describe(path: kept.missing.codingPath) == #""none""#)
        let many = try kept.keyed.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("many"))
        #expect(try (0..<100).allSatisfy { try many.decode(Int.self, forKey: AnyKey("key\($0)")) == $0 })
        #expect(try kept.decoder.container(keyedBy: AnyKey.self).allKeys.count == 4)
        #expect(noise.count == 50)
    }

    @Test("J1 a container kept by a value that throws can be read after the call")
    func keptByFailure() throws {
        #expect(throws: SchemaPlan.Missing.self) {
            try JSONModelDecoder().decode(Failing.self, from: Data(Self.json.utf8))
        }
        let kept = try #require(Failing.kept)
        Failing.kept = nil
        #expect(try kept.decode(String.self, forKey: AnyKey("b")) == "second é")
    }

    @Test("J1 data that is a part of other data is decoded")
    func slice() throws {
        let data = Data("xxxx[1,2]yy".utf8).dropFirst(4).dropLast(2)
        #expect(try JSONModelDecoder().decode([Int].self, from: data) == [1, 2])
        let text = Data(Array("xxx".utf8) + utf16(#"["é"]"#, bigEndian: true)).dropFirst(3)
        #expect(try JSONModelDecoder().decode([String].self, from: text) == ["é"])
        let bad = Data("xxxx\n\n[1,!]yy".utf8).dropFirst(4).dropLast(2)
        let error = #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: bad) }
        #expect(error?.line == 3)
        #expect(error?.column == 4)
        #expect(error?.offset == 5)
    }
}
