#if OpenAPI
import GodwitCore
import GodwitHTTPTypes
import HTTPTypes
import OpenAPIRuntime

extension GodwitCore.HTTPRequest {
    /// Converts a request of a generated client, whose path and query are below a base URL.
    init(
        _ request: HTTPTypes.HTTPRequest, body: OpenAPIRuntime.HTTPBody?, below baseURL: URL
    ) throws(NetworkError) {
        guard let method = HTTPMethod(request.method.rawValue) else {
            throw NetworkError(.invalidRequest(reason: "the method is not a token"), phase: .building)
        }
        let path = request.path ?? ""
        // A parameter of this value would lead to another operation.
        guard !path.hasDotSegment else {
            throw NetworkError(.invalidURL(reason: "the path contains a . or .. segment"), phase: .building)
        }
        try self.init(method: method, url: baseURL.text(below: path), body: body.map { GodwitCore.HTTPBody($0) })
        do throws(HTTPTypesConversionError) {
            fields = try HTTPFields(request.headerFields)
        } catch {
            throw NetworkError(.invalidRequest(reason: "\(error)"), phase: .building, request: self, underlying: error)
        }
        // The engine writes it, by the length of the body.
        fields.remove(.contentLength)
    }
}

extension String {
    /// Whether a segment of this path and query is `.` or `..`, percent-encoded or not.
    fileprivate var hasDotSegment: Bool {
        let path = prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").contains { segment in
            [".", ".."].contains(segment.lowercased().replacing("%2e", with: "."))
        }
    }
}

extension URL {
    /// This URL without its query and fragment, with the path and query of an operation after it.
    fileprivate func text(below path: String) -> String {
        var base = absoluteString.prefix { $0 != "?" && $0 != "#" }
        while base.hasSuffix("/") { base.removeLast() }
        // Without a slash, a path would lengthen the name of the host.
        let isJoined = path.isEmpty || path.hasPrefix("/") || path.hasPrefix("?")
        return base + (isJoined ? path : "/" + path)
    }
}

extension HTTPTypes.HTTPResponse {
    /// Converts the head of a response.
    init(_ response: GodwitCore.HTTPResponse) throws(NetworkError) {
        do throws(HTTPTypesConversionError) {
            try self.init(response.head)
        } catch {
            throw NetworkError(
                .invalidResponse(reason: "\(error)"), phase: .receiving, request: response.request,
                response: response.head, underlying: error)
        }
    }
}

extension GodwitCore.HTTPBody {
    /// Converts the body of a request. It can be sent again if it can be iterated again.
    init(_ body: OpenAPIRuntime.HTTPBody) {
        let length: Int64? = if case .known(let count) = body.length { count } else { nil }
        switch body.iterationBehavior {
        case .multiple: self = .stream(length: length) { body.map { Data($0) } }
        case .single: self = .stream(once: body.map { Data($0) }, length: length)
        }
    }
}

extension OpenAPIRuntime.HTTPBody {
    /// Converts the body of a response, which can be read once; `nil` for one that never has any (RFC 9110 section 6.4.1).
    convenience init?(_ response: GodwitCore.HTTPResponse) {
        guard !response.head.status.forbidsContent, response.request.method != .head else { return nil }
        self.init(response.body)
    }

    /// Converts a body, which can be read once unless it can be sent again.
    convenience init(_ body: GodwitCore.HTTPBody) {
        self.init(
            body.map { Array($0) }, length: body.length.map(Length.known) ?? .unknown,
            iterationBehavior: body.isReplayable ? .multiple : .single)
    }
}
#endif
