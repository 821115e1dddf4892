package import Godwit
package import GodwitTesting

extension HTTPTransport {
    /// Sends a GET, changed as wanted.
    package func get(
        _ url: HTTPURL, _ delivery: Delivery = .buffered, _ change: (inout HTTPRequest) -> Void = { _ in }
    ) async throws(NetworkError) -> HTTPResponse {
        try await send(.get(url, delivery, change))
    }

    /// Sends a request and reads its whole answer; the error of either, or nil where there was none.
    package func failure(of request: HTTPRequest) async -> NetworkError? {
        do throws(NetworkError) {
            let response = try await send(request)
            for try await _ in response.body {}
            return nil
        } catch {
            return error
        }
    }

    /// Whether an ordinary request is answered.
    package func stillWorks(with server: MockServer) async throws -> Bool {
        try await text(of: get(server.at("/ok"))) == "ok"
    }
}

extension HTTPRequest {
    package static func get(
        _ url: HTTPURL, _ delivery: Delivery = .buffered, _ change: (inout HTTPRequest) -> Void = { _ in }
    ) -> HTTPRequest {
        var request = HTTPRequest(url: url, delivery: delivery)
        change(&request)
        return request
    }

    package static func upload(
        _ body: HTTPBody?, to url: HTTPURL, _ method: HTTPMethod = .put,
        _ change: (inout HTTPRequest) -> Void = { _ in }
    ) -> HTTPRequest {
        var request = HTTPRequest(method: method, url: url, body: body)
        change(&request)
        return request
    }
}

extension MockServer {
    /// The URL of a path and query on this server.
    package func at(_ pathAndQuery: String) throws(InvalidURL) -> HTTPURL {
        try HTTPURL("\(url.origin)\(pathAndQuery)")
    }
}

/// The whole body of an answer, as text.
package func text(of response: HTTPResponse) async throws(NetworkError) -> String {
    String(decoding: try await bytes(of: response), as: UTF8.self)
}

/// The whole body of an answer.
package func bytes(of response: HTTPResponse) async throws(NetworkError) -> Data {
    try await response.body.collect(upTo: 1 << 30)
}
