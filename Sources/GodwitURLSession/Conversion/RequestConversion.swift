import GodwitCore

/// Turns requests into those of URLSession.
enum RequestConversion {
    /// The request without its content. Throws for what URLSession cannot send as it is.
    static func urlRequest(for request: HTTPRequest) throws(NetworkError) -> URLRequest {
        if let fault = fault(in: request) { throw NetworkError(fault, phase: .building) }
        guard let url = URL(string: request.url.absoluteString), url.absoluteString == request.url.absoluteString else {
            throw NetworkError(.invalidURL(reason: "URLSession would request another one"), phase: .building)
        }
        var converted = URLRequest(url: url, timeoutInterval: URLSessionSettings.never)
        converted.httpMethod = request.method.rawValue
        converted.httpShouldHandleCookies = false
        for field in request.fields { converted.addValue(field.value, forHTTPHeaderField: field.name.rawName) }
        Platform.apply(request, to: &converted)
        return converted
    }

    private static func fault(in request: HTTPRequest) -> NetworkError.Kind? {
        if let fault = request.fieldFault { return fault }
        if request.method == .connect { return Platform.unsupported("CONNECT as a request") }
        if request.method == .head, request.body != nil {
            return .invalidRequest(reason: "a HEAD request carries no content")
        }
        if request.method == .get, request.body != nil { return Platform.unsupported("a GET with content") }
        if let upgrade = request.options.upgrade { return Platform.unsupported("an upgrade to \(upgrade.name)") }
        // URLSession always undoes codings, and whoever names them wants the coded bytes.
        if let codings = request.fields[.acceptEncoding], codings != "identity" {
            return Platform.unsupported("Accept-Encoding (contents are always decoded)")
        }
        return Platform.fault(in: request)
    }
}
