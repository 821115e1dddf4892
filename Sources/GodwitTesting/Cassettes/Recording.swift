import GodwitCore

/// One exchange in a cassette's file.
struct Recording: Codable, Sendable, Hashable {
    let request: RecordedRequest
    let response: RecordedResponse
}

/// A request without its secrets.
struct RecordedRequest: Codable, Sendable, Hashable {
    let method: String
    let url: String
    let fields: RecordedFields
    let body: RecordedBody?
}

extension RecordedRequest: CustomStringConvertible {
    var description: String { "\(method) \(url)" }
}

/// A response without its secrets.
struct RecordedResponse: Codable, Sendable, Hashable {
    let status: Int
    let fields: RecordedFields
    let body: RecordedBody?

    var mockResponse: MockResponse {
        guard let status = HTTPStatus(status) else { return .status(.internalServerError) }
        return MockResponse(status: status, fields: fields.fields, body: .bytes(body?.data ?? Data()))
    }
}

/// Fields as lines, which are easy to read and edit.
struct RecordedFields: Codable, Sendable, Hashable {
    let fields: HTTPFields

    init(_ fields: HTTPFields) {
        self.fields = fields
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        var fields = HTTPFields()
        for line in try container.decode([String].self) {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let name = HTTPField.Name(parts[0]),
                let field = HTTPField(name: name, value: parts[1])
            else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "\"\(line.prefix { $0 != " " })\" is not a header field")
            }
            fields.append(field)
        }
        self.fields = fields
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for field in fields { try container.encode("\(field.name.rawName): \(field.value)") }
    }
}

/// A body, as text if it is UTF-8.
enum RecordedBody: Codable, Sendable, Hashable {
    case text(String)
    case base64(Data)

    private enum CodingKeys: String, CodingKey {
        case text, base64
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let text = try container.decodeIfPresent(String.self, forKey: .text) {
            self = .text(text)
        } else {
            self = .base64(try container.decode(Data.self, forKey: .base64))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .text(let text): try container.encode(text, forKey: .text)
        case .base64(let data): try container.encode(data, forKey: .base64)
        }
    }

    var data: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .base64(let data): data
        }
    }
}
