import GodwitJSON
import Testing

@Suite("J1 Decoding")
struct JSONModelDecoderTests {
    struct Author: Codable, Equatable { var name: String; var age: Int? }
    struct Article: Codable, Equatable {
        var id: Int
        var title: String
        var rating: Double
        var tags: [String]
        var author: Author
        var scores: [String: Int]
        var isPublic: Bool
    }

    @Test("J1 a nested value is decoded like Foundation's decoder does")
    func nested() throws {
        let json = Data(
            #"{"title":"Ünï\n\ud83d\ude00","id":1,"rating":-65.613616999999977,"author":{"age":null,"name":"A"},"tags":["x","y"],"isPublic":true,"scores":{"a":1,"b":2}}"#
                .utf8)
        let expected = try JSONDecoder().decode(Article.self, from: json)
        #expect(try JSONModelDecoder().decode(Article.self, from: json) == expected)
        let document = try JSONDocument(parsing: json)
        #expect(document.root["author"]?["name"]?.string == "A")
        #expect(document.root["tags"]?[1]?.string == "y")
    }
}
