import GodwitCore
import GodwitURLSession

/// The answer of a stub.
enum StubAnswer: Sendable {
    case success(HTTPURLResponse, Data)
    case failure(URLError)
}

/// A URLSession request, and the stub's transport that answers it.
struct StubExchange: Sendable {
    private let transport: (any HTTPTransport)?
    private let request: HTTPRequest?
    private let url: URL?

    init(_ request: URLRequest, _ transport: (any HTTPTransport)?) {
        self.transport = transport
        self.request = Self.converted(request)
        url = request.url
    }

    /// Gets the answer from the transport.
    func answer() async -> StubAnswer {
        guard let request, let url else { return .failure(URLError(.badURL)) }
        // The stub was released.
        guard let transport else { return .failure(URLError(.resourceUnavailable)) }
        do throws(NetworkError) {
            let response = try await transport.send(request)
            let content = try await response.body.collect(upTo: .max)
            guard let head = Self.response(response.head, url) else { return .failure(URLError(.badServerResponse)) }
            return .success(head, content)
        } catch {
            return .failure(URLError(StubFailure.code(of: error.kind)))
        }
    }

    private static func response(_ head: HTTPResponseHead, _ url: URL) -> HTTPURLResponse? {
        var fields: [String: String] = [:]
        for field in head.fields {
            fields[field.name.rawName] = fields[field.name.rawName].map { "\($0), \(field.value)" } ?? field.value
        }
        return HTTPURLResponse(url: url, statusCode: head.status.code, httpVersion: "HTTP/1.1", headerFields: fields)
    }

    private static func converted(_ request: URLRequest) -> HTTPRequest? {
        guard let text = request.url?.absoluteString, let url = try? HTTPURL(text),
            let method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        else { return nil }
        var converted = HTTPRequest(method: method, url: url, delivery: .buffered(limit: .max))
        for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let name = HTTPField.Name(name), !name.isReservedForTransport else { continue }
            converted.fields.append(value, for: name)
        }
        converted.body = content(of: request).map { .bytes($0) }
        return converted
    }

    private static func content(of request: URLRequest) -> Data? {
        if let content = request.httpBody { return content }
        guard let stream = request.httpBodyStream else { return nil }
        stream.open()
        defer { stream.close() }
        var content = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { return content }
            content.append(contentsOf: buffer[..<count])
        }
    }
}
