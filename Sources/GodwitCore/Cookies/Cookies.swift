/// Adds a jar's cookies to each request and stores those of each response (RFC 6265bis sections 5.6 to 5.8).
///
/// ```swift
/// let chain = Chain([Redirects(), Cookies(jar)], over: transport)
/// ```
///
/// Place it inside middlewares that follow redirects or retry: each hop then sends the cookies of its own host, and
/// cookies set by a redirect or a 401 are stored. Place it outside ``Caching``, as stored responses can vary by
/// cookies. A custom cache must remove `Set-Cookie` from stored responses, or the jar stores it again.
///
/// If a request has a `Cookie` field, stored cookies with other names are appended to it. With
/// ``RequestOptions/cookies`` `.off`, only the request's own field is sent, and nothing is stored.
public struct Cookies: ReviewingMiddleware {
    private let jar: CookieJar
    private let session: AccountSession?

    /// Creates the middleware with a jar, which several can share.
    ///
    /// - Parameters:
    ///   - jar: The cookies.
    ///   - session: The account that owns the cookies: calls of a former account send and store none. `nil` (the
    ///     default) if the account never changes. Clients set it.
    public init(_ jar: CookieJar, session: AccountSession? = nil) {
        self.jar = jar
        self.session = session
    }

    /// Whether the request allows cookies to be sent and stored.
    public func handles(_ call: Call) -> Bool { call.request.options.cookies == .automatic }

    /// Adds the cookies for the request's URL.
    public func prepare(_ call: inout Call) {
        if let session { call.adopt(session) }
        let stamp = session?.stamp(of: call)
        guard let cookies = cookies(for: call.request, isConfidential: call.isConfidential) else { return }
        // Checked after taking the cookies: they then belong to the call's account.
        if let session, let stamp, !session.isCurrent(stamp) { return }
        call.request.fields[.cookie] = cookies
    }

    /// Stores the cookies of the response, even if its body fails.
    public func review(_ outcome: CallOutcome, of call: Call, sendings: Int) -> Review {
        switch outcome {
        case .success(let response): receive(response.head, from: response.request.url, call)
        case .failure(let error):
            if let head = error.response { receive(head, from: error.request?.url ?? call.request.url, call) }
        }
        return .finish(outcome)
    }

    private func receive(_ head: HTTPResponseHead, from url: HTTPURL, _ call: Call) {
        guard head.fields.contains(.setCookie) else { return }
        guard let session else { return jar.receive(head.fields, from: url, called: call.originalURL) }
        session.keep(session.stamp(of: call)) { jar.receive(head.fields, from: url, called: call.originalURL) }
    }

    /// The request's own cookies and those of the jar; `nil` if the jar has none for it.
    private func cookies(for request: HTTPRequest, isConfidential: Bool) -> String? {
        var stored = jar.taking(for: request.url)
        if !isConfidential { stored.removeAll(where: \.isSecure) }
        guard !stored.isEmpty else { return nil }
        let own = request.fields[.cookie] ?? ""
        if !own.isEmpty {
            let names = Set(Self.pairs(in: own).map(\.name))
            stored.removeAll { names.contains($0.name) }
        }
        guard let field = CookieStorage.field(stored) else { return nil }
        return own.isEmpty ? field : "\(own); \(field)"
    }

    /// The pairs of a `Cookie` field. One without `=` has an empty name.
    static func pairs(in field: String) -> [(name: String, value: String)] {
        field.split(separator: ";").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count < 2
                ? ("", String(pair).trimmingBlanks) : (String(parts[0]).trimmingBlanks, String(parts[1]).trimmingBlanks)
        }
    }
}

/// Whether stored cookies are sent and received ones are stored.
public enum CookieHandling: Sendable, Hashable {
    /// `automatic` sends stored cookies and stores received ones; `off` does neither.
    case automatic, off
}

extension CookieHandling: RequestOption {
    public static var defaultValue: CookieHandling { .automatic }
}

extension RequestOptions {
    /// Whether stored cookies are sent and received ones are stored. ``CookieHandling/automatic`` by default.
    public var cookies: CookieHandling {
        @inline(__always) get { self[CookieHandling.self] }
        set { self[CookieHandling.self] = newValue }
    }
}
