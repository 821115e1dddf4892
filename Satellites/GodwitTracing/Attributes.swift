#if Tracing
import GodwitCore
import Tracing

extension HTTPRequest {
    /// The methods that may be part of a span's name, which must have few values (RFC 9110 section 9, RFC 5789).
    private static let knownMethods: Set<HTTPMethod> = [
        .get, .head, .post, .put, .patch, .delete, .connect, .options, .trace,
    ]

    /// Whether the method is one of those that the conventions name.
    fileprivate var hasKnownMethod: Bool { Self.knownMethods.contains(method) }

    /// The method, and the template of the path, if there is one.
    var spanName: String {
        let method = hasKnownMethod ? method.rawValue : "HTTP"
        return options.urlTemplate.map { "\(method) \($0)" } ?? method
    }
}

extension SpanAttributes {
    /// Adds what is known of a request before it is sent.
    mutating func describe(_ request: HTTPRequest) {
        self["http.request.method"] = request.hasKnownMethod ? request.method.rawValue : "_OTHER"
        if !request.hasKnownMethod { self["http.request.method_original"] = request.method.rawValue }
        // Without the brackets of an IPv6 address.
        self["server.address"] = String(request.url.host.filter { $0 != "[" && $0 != "]" })
        self["server.port"] = request.url.port
        if let template = request.options.urlTemplate { self["url.template"] = template }
    }

    /// Adds what is known of the connection and the sizes.
    mutating func describe(_ response: HTTPResponse) {
        let metrics = response.metrics
        if let version = metrics.protocolVersion {
            self["network.protocol.version"] = String(version.rawValue.dropFirst("HTTP/".count))
        }
        if let peer = metrics.remoteAddress, let colon = peer.lastIndex(of: ":") {
            self["network.peer.address"] = String(peer[..<colon].filter { $0 != "[" && $0 != "]" })
            if let port = Int(peer[peer.index(after: colon)...]) { self["network.peer.port"] = port }
        }
        if metrics.bytesSent > 0 { self["http.request.body.size"] = metrics.bytesSent }
        // The rest of a streamed body is still to come.
        if case .streamed = response.request.delivery { return }
        self["http.response.body.size"] = metrics.bytesReceived
    }
}

extension Span {
    /// Records the status or the error, and whether it is a failure.
    func record(_ outcome: CallOutcome, fails: (HTTPStatus) -> Bool) {
        switch outcome {
        case .success(let response):
            let status = response.head.status
            attributes["http.response.status_code"] = status.code
            guard fails(status) else { return }
            attributes["error.type"] = "\(status.code)"
            setStatus(SpanStatus(code: .error))
        case .failure(let error):
            if let status = error.response?.status { attributes["http.response.status_code"] = status.code }
            attributes["error.type"] = error.shortDescription
            recordError(error)
            setStatus(SpanStatus(code: .error, message: String(error.description.prefix(300))))
        }
    }
}
#endif
