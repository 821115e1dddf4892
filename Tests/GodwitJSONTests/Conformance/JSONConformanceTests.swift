import GodwitJSON
import Testing

/// JSONTestSuite's questions, asked of the document and of the decoder.
@Suite("J1 RFC 8259 conformance")
struct JSONConformanceTests {
    @Test("J1 a document accepts what RFC 8259 requires and refuses what it forbids", arguments: ConformanceCase.all)
    func document(test: ConformanceCase) {
        let document = try? JSONDocument(parsing: Data(test.bytes))
        #expect((document != nil) == test.isDocument)
    }

    @Test("J1 the decoder refuses what isn't JSON, and strings that aren't Unicode", arguments: ConformanceCase.all)
    func decoder(test: ConformanceCase) {
        do {
            _ = try JSONModelDecoder().decode(DynamicValue.self, from: Data(test.bytes))
            #expect(test.isReadable)
        } catch DecodingError.dataCorrupted(let context) {
            #expect(!test.isReadable)
            #expect(context.codingPath.isEmpty != test.isDocument)
        } catch {
            Issue.record(error)
        }
    }

    @Test("J1 text that isn't JSON is refused even if the type asks for nothing", arguments: ConformanceCase.all)
    func unread(test: ConformanceCase) {
        struct Nothing: Decodable { init(from decoder: any Decoder) {} }
        let value = try? JSONModelDecoder().decode(Nothing.self, from: Data(test.bytes))
        #expect((value != nil) == test.isDocument)
    }

    @Test("J1 strings in every encoding decode to the same text", arguments: ConformanceCase.encodings)
    func encodings(test: ConformanceCase) throws {
        guard test.isReadable, test.name.contains("string_") else { return }
        #expect(try JSONModelDecoder().decode([String].self, from: Data(test.bytes)) == ["é😀"])
    }

    @Test("J1 every case of the corpus has a name of its own")
    func names() {
        let names = ConformanceCase.all.map(\.name)
        #expect(Set(names).count == names.count)
    }
}
