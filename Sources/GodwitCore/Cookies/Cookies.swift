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
public struct Cookies: Middleware {
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

    /// Adds the cookies that are for the URL, passes the call on, and keeps those of the answer.
    ///
    /// - Parameters:
    ///   - call: The call so far.
    ///   - next: The rest of the chain.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard call.request.options.cookies == .automatic else { return try await next(call) }
        let stamp = session?.stamp(of: call)
        var sent = call
        attach(to: &sent.request)
        // Asked after they were taken: what was in the jar until now is of the call's account.
        if let session, let stamp, !session.isCurrent(stamp) { sent = call }
        do throws(NetworkError) {
            let response = try await next(sent)
            receive(response.head, from: response.request.url, call, stamp)
            return response
        } catch {
            // A response may break off after its head, whose cookies count all the same.
            if let head = error.response { receive(head, from: error.request?.url ?? call.request.url, call, stamp) }
            throw error
        }
    }

    @inline(never)
    private func receive(_ head: HTTPResponseHead, from url: HTTPURL, _ call: Call, _ stamp: AccountStamp?) {
        guard head.fields.contains(.setCookie) else { return }
        guard let session, let stamp else { return jar.receive(head.fields, from: url, called: call.originalURL) }
        session.keep(stamp) { jar.receive(head.fields, from: url, called: call.originalURL) }
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
