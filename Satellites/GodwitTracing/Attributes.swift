#if Tracing
import GodwitCore
import Tracing

extension HTTPRequest {
    /// Whether the method may be part of a span's name, which must have few values.
    fileprivate var hasKnownMethod: Bool { HTTPMethod.wellKnown.contains(method) }

    /// The method, and the template of the path, if there is one.
    var spanName: String {
        let method = hasKnownMethod ? method.rawValue : "HTTP"
        return options.urlTemplate.map { "\(method) \($0)" } ?? method
    }
}

extension SpanAttributes {
    /// Adds what is known of a request before it is sent.
    mutating func describe(_ request: HTTPRequest) {
        self["http.request.method"] = request.method.label(among: HTTPMethod.wellKnown)
        if !request.hasKnownMethod { self["http.request.method_original"] = request.method.rawValue }
        self["server.address"] = request.url.origin.address
        self["server.port"] = request.url.port
        if let template = request.options.urlTemplate { self["url.template"] = template }
    }

    /// Adds what is known of the connection and the sizes.
    mutating func describe(_ response: HTTPResponse) {
        let metrics = response.metrics
        if let version = metrics.protocolVersion { self["network.protocol.version"] = version.number }
        if let peer = metrics.remoteAddress.flatMap(PeerAddress.init) {
            self["network.peer.address"] = peer.address
            self["network.peer.port"] = peer.port
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
