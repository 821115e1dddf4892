extension Credential.Attachment {
    private static let mark = "redacted"

    init(_ token: AccessToken) {
        // Servers announce "bearer" and expect "Bearer".
        let type = token.type.asciiLowercased == "bearer" ? "Bearer" : token.type
        self = .field(.authorization, value: "\(type) \(token.access)")
    }

    /// Whether the request has a field or item of its own in this place; then the caller's counts.
    func isPreempted(in request: HTTPRequest) -> Bool {
        switch self {
        case .field(let name, _): request.fields.contains(name)
        case .queryItem(let name, _):
            Self.items(of: request.url).contains { $0.prefix { $0 != "=" } == Self.encoded(name, "").dropLast() }
        case .unusable: false
        }
    }

    /// Puts the credential into a call. Not inlined, as it would grow the frame of whoever waits for the answer.
    @inline(never)
    func attached(to call: Call) throws(NetworkError) -> Call {
        var call = call
        switch self {
        case .field(let name, let value):
            call.request.fields[name] = value
            if !name.isSensitive { call.originBoundFields.insert(name) }
        case .queryItem(let name, let value):
            call.request.url = call.request.url.appending([name: value])
            call.secretQueryItems.insert(name)
        case .unusable(let reason):
            throw NetworkError(.invalidRequest(reason: reason), phase: .building, request: call.request)
        }
        return call
    }

    /// Whether a request carries the credential: after a redirect to another origin it does not.
    func isCarried(by request: HTTPRequest) -> Bool {
        switch self {
        case .field(let name, let value): request.fields[name] == value
        case .queryItem(let name, let value): Self.items(of: request.url).contains { $0 == Self.encoded(name, value) }
        case .unusable: false
        }
    }

    /// The request as responses and errors show it: that there was a credential, and not which.
    func concealed(in request: HTTPRequest) -> HTTPRequest {
        guard isCarried(by: request) else { return request }
        var request = request
        switch self {
        case .field(let name, _): request.fields[name] = Self.mark
        case .queryItem(let name, let value):
            let secret = Self.encoded(name, value)
            let items = Self.items(of: request.url).map { $0 == secret ? Self.encoded(name, Self.mark) : String($0) }
            request.url = request.url.replacing(path: request.url.path, query: items.joined(separator: "&"))
        case .unusable: break
        }
        return request
    }

    private static func items(of url: HTTPURL) -> [Substring] {
        url.query?.split(separator: "&", omittingEmptySubsequences: false) ?? []
    }

    private static func encoded(_ name: String, _ value: String) -> String {
        let items: QueryItems = [name: value]
        return items.encoded ?? ""
    }
}
