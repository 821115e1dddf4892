/// One exchange with an authorization server. What it throws shows neither the form that was sent nor the answer.
struct OAuthCall: Sendable {
    /// A token is some kilobytes; what is much larger is none.
    private static let answerLimit = 1 << 20

    let transport: any HTTPTransport

    /// Sends a form, and returns the content of a successful answer.
    func post(_ form: QueryItems, to url: HTTPURL, as client: OAuthClient) async throws(NetworkError) -> Data {
        var form = form
        var fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded", .accept: "application/json"]
        client.authenticate(&form, &fields)
        let body = HTTPBody.bytes(Data(FormURLEncoded.encode(form).utf8))
        return try await send(HTTPRequest(method: .post, url: url, fields: fields, body: body))
    }

    /// Reads a public document.
    func get(_ url: HTTPURL) async throws(NetworkError) -> Data {
        try await send(HTTPRequest(url: url, fields: [.accept: "application/json"]))
    }

    /// Reads an answer; an error names the member that is wrong, and quotes nothing.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws(NetworkError) -> Value {
        do throws(NetworkError) {
            return try JSONCoding().decode(type, from: data)
        } catch {
            guard case .decoding(let failure) = error.kind else { throw error }
            let reason =
                failure.path.isEmpty ? "the authorization server's answer is not the JSON" : "it is missing, or not"
            throw NetworkError(
                .decoding(.init(path: failure.path, reason: "\(reason) that OAuth 2 asks for")), phase: .decoding)
        }
    }

    private func send(_ request: HTTPRequest) async throws(NetworkError) -> Data {
        let origin = request.url.origin
        guard origin.scheme == .https || origin.isLoopback else {
            throw NetworkError(.insecure(.plaintext(host: origin.host)), phase: .building, request: request.concealed)
        }
        var request = request
        request.delivery = .buffered(limit: Self.answerLimit)
        request.options.authentication = .none
        request.options.cookies = .off
        request.options.cachePolicy = .reloadIgnoringCache
        // A form with secrets goes where it was addressed to, or nowhere.
        request.options.redirects = .block
        do throws(NetworkError) {
            let response = try await transport.send(request)
            let data = try await response.body.collect(upTo: Self.answerLimit)
            guard response.head.status.isSuccessful else { throw Self.error(response, data, to: request) }
            return data
        } catch {
            var error = error
            error.request = error.request?.concealed
            error.body = nil
            throw error
        }
    }

    /// - Parameter request: With the form, whose secrets some servers repeat in what they say.
    private static func error(_ response: HTTPResponse, _ data: Data, to request: HTTPRequest) -> NetworkError {
        var error = NetworkError(response, body: data, readers: [.type(OAuthError.self)], coding: JSONCoding())
        error.request = request
        error.hideSecretsInWords()
        let status = response.head.status.code
        if let reason = error.underlying as? OAuthError, reason.refusesSignIn, (400..<500).contains(status) {
            error.kind = .unauthorized
        }
        return error
    }
}

extension HTTPRequest {
    /// The request as errors show it: without its form, and without the client's secret.
    fileprivate var concealed: HTTPRequest {
        var request = self
        request.body = nil
        if request.fields.contains(.authorization) { request.fields[.authorization] = "redacted" }
        return request
    }
}
