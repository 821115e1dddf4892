/// Ends a session on this machine: the token, the cookies and the cached responses go, all at once.
///
/// ```swift
/// let signOut = SignOut(tokens: tokens, cookies: jar, cache: cache)
/// try await signOut()
/// ```
///
/// Each part is cleared even where another fails, and also when the task is cancelled. What is cleared stays cleared
/// on disk: a jar with a file is written at once. Responses of requests still under way may bring cookies again: sign
/// out when nothing is under way any more, or do it twice. The server is not told; see ``OAuth2/revoke(_:)``.
public struct SignOut: Sendable {
    private let tokens: TokenRefresher?
    private let cookies: CookieJar?
    private let cache: (any CacheStore)?

    /// Makes a sign-out of the parts that there are.
    ///
    /// - Parameters:
    ///   - tokens: What holds the token; nil where there is none.
    ///   - cookies: The jar that is emptied, in its file too.
    ///   - cache: The store that is emptied, on disk too.
    public init(tokens: TokenRefresher? = nil, cookies: CookieJar? = nil, cache: (any CacheStore)? = nil) {
        self.tokens = tokens
        self.cookies = cookies
        self.cache = cache
    }

    /// Clears everything.
    ///
    /// Throws `.file` with the reasons of all parts that could not be cleared in their files.
    public func callAsFunction() async throws(NetworkError) {
        // In a task of its own: half a sign-out would be none.
        let failures = await Task { await clear() }.value
        guard let first = failures.first else { return }
        guard failures.count > 1 else { throw first }
        let reasons = failures.map(\.description).joined(separator: "; ")
        throw NetworkError(.file(reason: reasons), phase: .middleware, underlying: first)
    }

    private func clear() async -> [NetworkError] {
        var failures: [NetworkError] = []
        cookies?.clear()
        await cache?.removeAll()
        do throws(NetworkError) { try await tokens?.signOut() } catch { failures.append(error) }
        do throws(NetworkError) { try cookies?.save() } catch { failures.append(error) }
        return failures
    }
}
