import GodwitCore

/// Turns requests into those of URLSession.
enum RequestConversion {
    /// The request without its content. Throws for what URLSession cannot send as it is.
    static func urlRequest(for request: HTTPRequest) throws(NetworkError) -> URLRequest {
        if let fault = fault(in: request) { throw NetworkError(fault, phase: .building) }
        let address = HandshakeRequest.address(of: request)
        guard let url = URL(string: address), url.absoluteString == address else {
            throw NetworkError(.invalidURL(reason: "URLSession would request another one"), phase: .building)
        }
        var converted = URLRequest(url: url, timeoutInterval: URLSessionSettings.never)
        converted.httpMethod = request.method.rawValue
        converted.httpShouldHandleCookies = false
        for field in request.fields { converted.addValue(field.value, forHTTPHeaderField: field.name.rawName) }
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
            return .invalidRequest(reason: "a HEAD request can't have a body")
        }
        if request.method == .get, request.body != nil { return Platform.unsupported("a GET with content") }
        if let upgrade = request.options.upgrade, let fault = fault(of: upgrade, in: request) { return fault }
        // URLSession always undoes codings, and whoever names them wants the coded bytes.
        if let codings = request.fields[.acceptEncoding], codings != "identity" {
            return Platform.unsupported("Accept-Encoding (contents are always decoded)")
        }
        return Platform.fault(in: request)
    }

    private static func fault(of upgrade: ProtocolUpgrade, in request: HTTPRequest) -> NetworkError.Kind? {
        guard Platform.hasWebSockets, upgrade.name.asciiLowercased == "websocket" else {
            return Platform.unsupported("an upgrade to \(upgrade.name)")
        }
        return request.method == .get && request.body == nil
            ? nil : .invalidRequest(reason: "an upgrade is asked for by a GET without content")
    }
}
