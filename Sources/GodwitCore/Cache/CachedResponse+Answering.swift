extension CachedResponse {
    /// The response as it answers a request without asking the server: with its age (RFC 9111 sections 4 and 5.1).
    func answer(to request: HTTPRequest, at now: Date) throws(NetworkError) -> HTTPResponse {
        var response = try answer(to: request)
        // Never more than the field can say; a clock that jumped must not trap.
        response.head.fields[.age] = String(Int(min(age(at: now), TimeInterval(DeltaSeconds.largest))))
        return response
    }

    /// The response as it answers a request that the server confirmed it for.
    ///
    /// Cookies are left out: they were set when the response came, and may have changed since. Throws `.tooLarge` where
    /// the content exceeds what the request allows.
    func answer(to request: HTTPRequest) throws(NetworkError) -> HTTPResponse {
        var fields = fields
        fields.remove(.setCookie)
        let head = HTTPResponseHead(status: status, fields: fields)
        guard request.method != .head else { return HTTPResponse(head: head, metrics: .cached, request: request) }
        if let limit = request.contentLimit, body.count > limit {
            throw NetworkError(.tooLarge(limit: limit), phase: .receiving, request: request, response: head)
        }
        return HTTPResponse(head: head, body: .bytes(body), metrics: .cached, request: request)
    }
}

extension HTTPRequest {
    /// The most bytes of decoded content that the request takes.
    fileprivate var contentLimit: Int64? {
        guard case .buffered(let limit) = delivery else { return options.responseLimit.decoded }
        return min(Int64(limit), options.responseLimit.decoded ?? .max)
    }
}
