#if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
public import AuthenticationServices
import Synchronization

/// Shows a sign-in page in the system's own browser sheet, on Apple's systems.
///
/// ```swift
/// let request = try oauth.authorizationRequest(redirect: "com.example.app:/signed-in")
/// let code = try await WebAuthentication(anchor: window).code(for: request)
/// let response = try await oauth.token(for: code)
/// ```
@MainActor
public final class WebAuthentication: NSObject, ASWebAuthenticationPresentationContextProviding {
    private let anchor: ASPresentationAnchor

    /// Makes one that shows its sheet at a window.
    public init(anchor: ASPresentationAnchor) {
        self.anchor = anchor
    }

    /// Shows the page and waits for its answer, to a redirect with a scheme of the app's own.
    ///
    /// Throws `.cancelled` where the person closes the sheet, and what ``AuthorizationRequest/code(in:)`` throws.
    public func code(for request: AuthorizationRequest) async throws(NetworkError) -> AuthorizationCode {
        let scheme = String(request.redirect.prefix { $0 != ":" })
        guard let page = request.url.url else {
            throw NetworkError(.invalidURL(reason: "Foundation cannot read the page's URL"), phase: .building)
        }
        let answer: String? = await withCheckedContinuation { continuation in
            // A session that does not start may, or may not, call its handler.
            let once = FirstAnswer(continuation)
            let session = ASWebAuthenticationSession(url: page, callback: .customScheme(scheme)) { url, _ in
                once.resume(with: url?.absoluteString)
            }
            session.presentationContextProvider = self
            if !session.start() { once.resume(with: nil) }
        }
        guard let answer else { throw NetworkError(.cancelled, phase: .middleware) }
        return try request.code(in: answer)
    }

    public func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
        anchor
    }
}

/// Resumes a caller once.
private final class FirstAnswer: Sendable {
    private let waiting: Mutex<CheckedContinuation<String?, Never>?>

    init(_ continuation: CheckedContinuation<String?, Never>) {
        waiting = Mutex(continuation)
    }

    func resume(with answer: String?) {
        waiting.withLock { $0.take() }?.resume(returning: answer)
    }
}
#endif
