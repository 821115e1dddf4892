/// Sends the cookies of a jar with each request, and keeps those of each response (RFC 6265bis sections 5.6 to 5.8).
///
/// ```swift
/// let chain = Chain([Redirects(), Cookies(jar)], over: transport)
/// ```
///
/// It has to stand below whatever follows redirects or tries again: then every hop sends the cookies of its own host,
/// and those that a redirect or a 401 sets are kept. Above a cache, it would keep what a cached response once set.
///
/// A caller's own `Cookie` field and the jar are merged into one field: the caller's text first, as it was written,
/// then the stored cookies whose names it does not hold. With ``RequestOptions/cookies`` `.off` nothing is sent but
/// the caller's, and nothing is kept.
public struct Cookies: ReviewingMiddleware {
    public static let isSynchronous = true

    private let jar: CookieJar
    private let session: AccountSession?

    /// Makes the middleware over a jar, which several may share.
    ///
    /// - Parameters:
    ///   - jar: Where cookies come from and go to.
    ///   - session: Whose cookies they are: a call of a former account sends and stores none. `nil`, the default, if
    ///     that never changes. A client sets it.
    public init(_ jar: CookieJar, session: AccountSession? = nil) {
        self.jar = jar
        self.session = session
    }

    /// Whether the request lets cookies be sent and stored.
    public func handles(_ call: Call) -> Bool { call.request.options.cookies == .automatic }

    /// Adds the cookies for the request's URL.
    public func prepare(_ call: inout Call) {
        if let session { call.adopt(session) }
        let stamp = session?.stamp(of: call)
        var request = call.request
        attach(to: &request)
        // Checked after the cookies were taken: what was in the jar until now is of the call's account.
        if let session, let stamp, !session.isCurrent(stamp) { return }
        call.request = request
    }

    /// Stores the cookies of the response. If a response breaks off after its head, its cookies count too.
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

    private func attach(to request: inout HTTPRequest) {
        var stored = jar.taking(for: request.url)
        guard !stored.isEmpty else { return }
        let own = request.fields[.cookie] ?? ""
        if !own.isEmpty {
            let names = Self.names(in: own)
            stored.removeAll { names.contains($0.name) }
        }
        guard let field = CookieStorage.field(stored) else { return }
        request.fields[.cookie] = own.isEmpty ? field : "\(own); \(field)"
    }

    /// The names in a `Cookie` field; a pair without `=` has the empty one.
    private static func names(in field: String) -> Set<String> {
        Set(
            field.split(separator: ";").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return parts.count < 2 ? "" : String(parts[0]).trimmingBlanks
            })
    }
}

/// Whether stored cookies are sent and received ones are stored.
public enum CookieHandling: Sendable, Hashable {
    case automatic, off
}

extension CookieHandling: RequestOption {
    public static var defaultValue: CookieHandling { .automatic }
}

extension RequestOptions {
    /// Whether stored cookies are sent and received ones are stored. ``CookieHandling/automatic`` by default.
    public var cookies: CookieHandling {
        get { self[CookieHandling.self] }
        set { self[CookieHandling.self] = newValue }
    }
}
