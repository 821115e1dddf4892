#if OpenAPI
import Godwit
import HTTPTypes
@_spi(Generated) import OpenAPIRuntime

/// A client of the birds' API, in the form that swift-openapi-generator writes.
struct Client: Sendable {
    private let client: UniversalClient

    init(serverURL: URL, transport: any ClientTransport, middlewares: [any ClientMiddleware] = []) {
        client = UniversalClient(serverURL: serverURL, transport: transport, middlewares: middlewares)
    }

    private var converter: Converter { client.converter }

    func getBird(_ input: Operations.GetBird.Input) async throws -> Operations.GetBird.Output {
        try await client.send(
            input: input, forOperation: Operations.GetBird.id,
            serializer: { input in
                let path = try converter.renderedPath(template: "/birds/{}", parameters: [input.id])
                var request = HTTPTypes.HTTPRequest(soar_path: path, method: .get)
                try converter.setQueryItemAsURI(
                    in: &request, style: .form, explode: true, name: "language", value: input.language)
                request.headerFields[.accept] = "application/json"
                return (request, nil)
            },
            deserializer: { response, body in
                switch response.status.code {
                case 200:
                    let bird = try await converter.getResponseBodyAsJSON(
                        Components.Schemas.Bird.self, from: body, transforming: { $0 })
                    return .ok(bird)
                case 404: return .notFound
                default: return .undocumented(statusCode: response.status.code, .init(response, body))
                }
            })
    }

    func createBird(_ bird: Components.Schemas.Bird) async throws -> Operations.CreateBird.Output {
        try await client.send(
            input: bird, forOperation: Operations.CreateBird.id,
            serializer: { bird in
                var request = HTTPTypes.HTTPRequest(soar_path: "/birds", method: .post)
                let body = try converter.setRequiredRequestBodyAsJSON(
                    bird, headerFields: &request.headerFields, contentType: "application/json; charset=utf-8")
                return (request, body)
            },
            deserializer: { response, body in
                guard response.status.code == 201 else {
                    return .undocumented(statusCode: response.status.code, .init(response, body))
                }
                let bird = try await converter.getResponseBodyAsJSON(
                    Components.Schemas.Bird.self, from: body, transforming: { $0 })
                return .created(bird)
            })
    }

    func putSong(_ input: Operations.PutSong.Input) async throws -> Operations.PutSong.Output {
        try await client.send(
            input: input, forOperation: Operations.PutSong.id,
            serializer: { input in
                let path = try converter.renderedPath(template: "/birds/{}/song", parameters: [input.id])
                var request = HTTPTypes.HTTPRequest(soar_path: path, method: .put)
                let body = try converter.setRequiredRequestBodyAsBinary(
                    input.body, headerFields: &request.headerFields, contentType: "audio/ogg")
                return (request, body)
            },
            deserializer: { response, body in
                guard response.status.code == 200 else {
                    return .undocumented(statusCode: response.status.code, .init(response, body))
                }
                return .ok(
                    try converter.getResponseBodyAsBinary(HTTPBody.self, from: body, transforming: { $0 }))
            })
    }

    func getSong(_ id: Int) async throws -> Operations.GetSong.Output {
        try await client.send(
            input: id, forOperation: Operations.GetSong.id,
            serializer: { id in
                let path = try converter.renderedPath(template: "/birds/{}/song", parameters: [id])
                return (HTTPTypes.HTTPRequest(soar_path: path, method: .get), nil)
            },
            deserializer: { response, body in
                guard response.status.code == 200 else {
                    return .undocumented(statusCode: response.status.code, .init(response, body))
                }
                return .ok(
                    try converter.getResponseBodyAsBinary(HTTPBody.self, from: body, transforming: { $0 }))
            })
    }
}

private typealias HTTPBody = OpenAPIRuntime.HTTPBody

extension UndocumentedPayload {
    fileprivate init(_ response: HTTPTypes.HTTPResponse, _ body: OpenAPIRuntime.HTTPBody?) {
        self.init(headerFields: response.headerFields, body: body)
    }
}
#endif
