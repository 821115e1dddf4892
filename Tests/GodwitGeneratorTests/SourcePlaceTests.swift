@testable import GodwitGenerator
import Testing

@Suite("G2 Places in documents")
struct SourcePlaceTests {
    @Test("G2 a place names the file, the line and the JSON pointer")
    func description() {
        let place = SourcePlace(
            file: "api.yaml", position: .init(line: 12, column: 5), pointer: "/paths/~1articles/get")
        #expect(place.description == "api.yaml:12:5 (#/paths/~1articles/get)")
        #expect(SourcePlace(file: "-").description == "-")
    }

    @Test("G2 the place in a document from the network shows no query and no user")
    func redaction() {
        let place = SourcePlace(file: "https://ann:s3cret@example.com/api.yaml?key=s3cret", pointer: "/paths")
        #expect(place.description == "https://example.com/api.yaml (#/paths)")
    }
}
