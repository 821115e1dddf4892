import GodwitCore

/// One exchange with an authorization server. Its errors contain neither the form nor the response body.
struct OAuthCall: Sendable {
    private static let responseLimit = 1 << 20

    let transport: any HTTPTransport
    /// Proves the possession of a key; `nil` for tokens that aren't bound to one.
    var dpop: DPoP?

    /// Sends a form, and returns the body of a successful response.
    func post(_ form: QueryItems, to url: HTTPURL, as client: OAuthClient) async throws(NetworkError) -> Data {
        var form = form
        var fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded", .accept: "application/json"]
        client.authenticate(&form, &fields)
        let body = HTTPBody.bytes(Data(FormURLEncoded.encode(form).utf8))
        let request = HTTPRequest(method: .post, url: url, fields: fields, body: body)
        guard let dpop else { return try await send(request) }
        do throws(NetworkError) {
            return try await send(dpop.proven(request, token: nil))
        } catch {
            // Once: a server that gives a nonce and refuses it would refuse the next one as well.
            guard (error.underlying as? OAuthError)?.code == "use_dpop_nonce", let head = error.response,
                dpop.keepNonce(of: head, from: request, isTokenRequest: true)
            else { throw error }
            return try await send(dpop.proven(request, token: nil))
        }
    }

    /// Reads a public document.
    func get(_ url: HTTPURL) async throws(NetworkError) -> Data {
        try await send(HTTPRequest(url: url, fields: [.accept: "application/json"]))
    }

    /// Decodes a response. An error names the wrong member, without its value.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws(NetworkError) -> Value {
        do throws(NetworkError) {
            return try JSONCoding().decode(type, from: data)
        } catch {
            guard case .decoding(let failure) = error.kind else { throw error }
            let reason =
                failure.path.isEmpty
                ? "the response is not the JSON that OAuth 2 requires" : "it is missing, or not what OAuth 2 requires"
            throw NetworkError(.decoding(.init(path: failure.path, reason: reason)), phase: .decoding)
        }
    }

    private func send(_ request: HTTPRequest) async throws(NetworkError) -> Data {
        let origin = request.url.origin
        guard transport.isConfidential(origin) else {
            throw NetworkError(.insecure(.plaintext(host: origin.host)), phase: .building, request: request.concealed)
        }
        var request = request
        request.delivery = .buffered(limit: Self.responseLimit)
        request.options.authentication = .none
        request.options.cookies = .off
        request.options.cachePolicy = .reloadIgnoringCache
        request.note(former: request)
        // A form with secrets must not follow a redirect.
        request.options.redirects = .block
        do throws(NetworkError) {
            let response = try await transport.send(request)
            dpop?.keepNonce(of: response.head, from: request, isTokenRequest: true)
            let data = try await response.body.collect(upTo: Self.responseLimit)
            // GitHub, Slack and others report errors with status 200.
            guard response.head.status.isSuccessful, OAuthError(json: data) == nil else {
                throw Self.error(response, data, to: request)
            }
            return data
        } catch {
            var error = error
            error.request = error.request?.concealed
            error.body = nil
            throw error
        }
    }

    /// - Parameter request: With the form, as some servers repeat its secrets in their error texts.
    private static func error(_ response: HTTPResponse, _ data: Data, to request: HTTPRequest) -> NetworkError {
        var error = NetworkError(response, body: data, readers: [.type(OAuthError.self)], coding: JSONCoding())
        error.request = request
        error.hideSecretsInWords(isLine: true)
        let refusesSignIn = (error.underlying as? OAuthError)?.refusesSignIn == true
        switch response.head.status.kind {
        case .successful: error.kind = refusesSignIn ? .unauthorized : .operationFailed
        case .clientError where refusesSignIn: error.kind = .unauthorized
        default: break
        }
        return error
    }
}

extension HTTPRequest {
    /// The request as errors show it: without the form and the client's secret.
    fileprivate var concealed: HTTPRequest {
        var request = self
        request.body = nil
        for name in [.authorization, .dpop] as [HTTPField.Name] where request.fields.contains(name) {
            request.fields[name] = "redacted"
        }
        return request
    }
}
