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

    /// Makes the middleware over a jar, which several may share.
    ///
    /// - Parameter jar: Where cookies come from and go to.
    public init(_ jar: CookieJar) {
        self.jar = jar
    }

    /// Adds the cookies that are for the URL, passes the call on, and keeps those of the answer.
    ///
    /// - Parameters:
    ///   - call: The call so far.
    ///   - next: The rest of the chain.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard call.request.options.cookies == .automatic else { return try await next(call) }
        var sent = call
        attach(to: &sent.request)
        do throws(NetworkError) {
            let response = try await next(sent)
            jar.receive(response.head.fields, from: response.request.url, called: call.originalURL)
            return response
        } catch {
            // A response may break off after its head, whose cookies count all the same.
            if let head = error.response {
                jar.receive(head.fields, from: error.request?.url ?? call.request.url, called: call.originalURL)
            }
            throw error
        }
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
