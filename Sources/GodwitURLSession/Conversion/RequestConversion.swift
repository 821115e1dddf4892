package import GodwitCore

/// Converts requests to URLRequests.
enum RequestConversion {
    /// The request without its body. Throws if URLSession can't send it unchanged.
    static func urlRequest(for request: HTTPRequest) throws(NetworkError) -> URLRequest {
        if let fault = fault(in: request) { throw NetworkError(fault, phase: .building) }
        let address = HandshakeRequest.address(of: request)
        guard let url = URL(string: address), url.absoluteString == address else {
            throw NetworkError(.invalidURL(reason: "URLSession would change it"), phase: .building)
        }
        var converted = URLRequest(url: url, timeoutInterval: URLSessionSettings.never)
        converted.httpMethod = request.method.rawValue
        converted.httpShouldHandleCookies = false
        for field in request.fields.withOneCookieField {
            converted.addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        if let offer = HandshakeRequest.offer(of: request) {
            converted.setValue(offer, forHTTPHeaderField: HTTPField.Name.secWebSocketProtocol.rawName)
        }
        Platform.apply(request, to: &converted)
        return converted
    }

    private static func fault(in request: HTTPRequest) -> NetworkError.Kind? {
        if let fault = request.fieldFault { return fault }
        if request.method == .connect { return Platform.unsupported("CONNECT as a request") }
        if request.method == .head, request.body != nil {
            return .invalidRequest(reason: "a HEAD request must not have a body")
        }
        if request.method == .get, request.body != nil { return Platform.unsupported("a GET with a body") }
        if request.body?.trailerNames != nil { return Platform.unsupported("trailer fields of a request") }
        if let upgrade = request.options.upgrade, let fault = fault(of: upgrade, in: request) { return fault }
        // URLSession always decodes, but callers that set codings expect the encoded bytes.
        if let codings = request.fields[.acceptEncoding], codings != "identity" {
            return Platform.unsupported("Accept-Encoding (bodies are always decoded)")
        }
        return Platform.fault(in: request)
    }

    private static func fault(of upgrade: ProtocolUpgrade, in request: HTTPRequest) -> NetworkError.Kind? {
        guard Platform.hasWebSockets, upgrade.name.asciiLowercased == "websocket" else {
            return Platform.unsupported("an upgrade to \(upgrade.name)")
        }
        return request.method == .get && request.body == nil
            ? nil : .invalidRequest(reason: "an upgrade requires a GET without a body")
    }
}

/// The specifics of a request for a WebSocket. The system performs the handshake.
package enum HandshakeRequest {
    /// The URL of a request. URLSession's WebSocket tasks require the schemes `ws` and `wss`.
    package static func address(of request: HTTPRequest) -> String {
        let address = request.url.absoluteString
        guard request.options.upgrade != nil, address.hasPrefix("http") else { return address }
        return "ws" + address.dropFirst(4)
    }

    /// The offered subprotocols; `nil` if there are none.
    package static func offer(of request: HTTPRequest) -> String? {
        let offers = request.options.upgrade?.fields().values(of: .secWebSocketProtocol) ?? []
        return offers.isEmpty ? nil : offers.joined(separator: ", ")
    }
}
