import Godwit

enum JSONSnippets {
    static func client(_ transport: some HTTPTransport) -> APIClient {
        // snippet: json-client
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.json = JSONCoding(keys: .snakeCase, dates: .epochSeconds)
        }
        // end
        return api
    }

    static func alone(_ data: Data) throws {
        // snippet: json-alone
        var decoder = JSONModelDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let article = try decoder.decode(Article.self, from: data)

        var encoder = JSONModelEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        let text = try encoder.encode(article)
        // end
        print(text)
    }

    static func document(_ data: Data) throws {
        // snippet: json-document
        let document = try JSONDocument(parsing: data)
        let name = document.root["users"]?[0]?["name"]?.string
        for member in document.root.members { print(member.key, member.value.kind) }
        let article = try document.root["article"]?.decode(Article.self)
        // end
        print(name as Any, article as Any)
    }
}

// snippet: json-readable
nonisolated struct Ringing: Codable {
    var id: Int
    var species: String
    var wingLength: Double?

    enum CodingKeys: String, CodingKey {
        case id, species
        case wingLength = "wing_length"
    }
}

nonisolated extension Ringing: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        id = try json.read("id")
        species = try json.read("species")
        wingLength = try json.read("wing_length")  // nil if it is missing or null
    }
}
// end
