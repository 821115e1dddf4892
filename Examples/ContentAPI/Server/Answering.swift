import Godwit
import GodwitTesting

nonisolated extension MockRoute {
    /// Answers with the result of the closure, or with the problem that it throws.
    func answer(_ handler: @escaping @Sendable (MockRequest) async throws(Problem) -> MockResponse) {
        reply { request in
            do throws(Problem) {
                return try await handler(request)
            } catch {
                return error.response
            }
        }
    }
}

nonisolated extension MockRoute {
    /// Answers an unsafe request once for each `Idempotency-Key`.
    func answer(
        once kept: KeptResponses, _ handler: @escaping @Sendable (MockRequest) async throws(Problem) -> MockResponse
    ) {
        answer { request throws(Problem) in try await kept.response(to: request, handler) }
    }
}

extension MockRequest {
    /// The number of a path parameter.
    func id(_ name: String = "id", of kind: String) throws(Problem) -> Int {
        let text = parameters[name] ?? ""
        guard let id = Int(text) else { throw Problem.missing(kind, text) }
        return id
    }

    /// The body, decoded from JSON.
    func value<Value: Decodable>(_ type: Value.Type) throws(Problem) -> Value {
        do throws(NetworkError) {
            return try JSONCoding.content.decode(type, from: body)
        } catch {
            throw Problem.malformed("\(error)")
        }
    }
}

extension MockResponse {
    /// A value as JSON of this API.
    static func coded(_ value: some Encodable, status: HTTPStatus = .ok) -> MockResponse {
        do throws(NetworkError) {
            return .bytes(try JSONCoding.content.encode(value), contentType: "application/json", status: status)
        } catch {
            return .text("\(error)", status: .internalServerError)
        }
    }
}

nonisolated extension JSONCoding {
    /// The JSON coding of this API.
    static let content = JSONCoding(keys: .snakeCase)
}
