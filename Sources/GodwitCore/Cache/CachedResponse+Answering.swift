extension CachedResponse {
    /// The response as it answers a request without asking the server: with its age (RFC 9111 sections 4 and 5.1).
    func answer(to request: HTTPRequest, at now: Date) throws(NetworkError) -> HTTPResponse {
        var response = try answer(to: request, unconfirmedFields)
        response.head.fields[.age] = ageValue(at: now)
        return response
    }

    /// The 304 that tells a request with a condition that what its sender has still holds (RFC 9110 section 15.4.5).
    func notModified(for request: HTTPRequest, at now: Date) -> HTTPResponse {
        var fields = unconfirmedFields.keeping(Self.ofNotModified.contains)
        fields[.age] = ageValue(at: now)
        return HTTPResponse(
            head: HTTPResponseHead(status: .notModified, fields: fields), metrics: .cached, request: request)
    }

    private static let ofNotModified: Set<HTTPField.Name> = [
        .cacheControl, .contentLocation, .date, .etag, .expires, .lastModified, .vary,
    ]

    /// Never more than the field can say; a clock that jumped must not trap.
    private func ageValue(at now: Date) -> String {
        String(min(Int(saturating: age(at: now)), DeltaSeconds.largest))
    }

    /// The response as it answers a request that the server confirmed it for.
    ///
    /// Cookies are left out: they were set when the response came, and may have changed since. Throws `.tooLarge` where
    /// the content exceeds what the request allows.
    func answer(to request: HTTPRequest) throws(NetworkError) -> HTTPResponse {
        try answer(to: request, fields)
    }

    private func answer(to request: HTTPRequest, _ shown: HTTPFields) throws(NetworkError) -> HTTPResponse {
        var fields = shown
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
