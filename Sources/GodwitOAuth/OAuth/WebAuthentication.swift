#if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
public import AuthenticationServices
public import GodwitCore
import GodwitSupport

/// Shows a sign-in page in the system's browser sheet, on Apple platforms.
///
/// ```swift
/// let request = try oauth.authorizationRequest(redirect: "com.example.app:/signed-in")
/// let code = try await WebAuthentication(anchor: window).code(for: request)
/// let response = try await oauth.token(for: code)
/// ```
@MainActor
public final class WebAuthentication: NSObject, ASWebAuthenticationPresentationContextProviding {
    private let anchor: ASPresentationAnchor
    /// The sheet that is shown; the system doesn't retain it.
    private var session: ASWebAuthenticationSession?

    /// Creates a sign-in that shows its sheet on a window.
    ///
    /// - Parameter anchor: The window that shows the sheet.
    public init(anchor: ASPresentationAnchor) {
        self.anchor = anchor
    }

    /// Shows the page and waits for the redirect.
    ///
    /// - Parameter request: The request, whose redirect has a scheme of the app.
    /// - Throws: `.cancelled` if the person closes the sheet or the task is canceled, `.invalidRequest` if a sheet is
    ///   already shown, `.transport(.other)` if the system doesn't show one, and the errors of
    ///   ``AuthorizationRequest/code(in:)``.
    public func code(for request: AuthorizationRequest) async throws(NetworkError) -> AuthorizationCode {
        let scheme = String(request.redirect.prefix { $0 != ":" })
        guard let page = request.url.url else {
            throw NetworkError(.invalidURL(reason: "Foundation can't parse the page's URL"), phase: .building)
        }
        guard session == nil else {
            throw NetworkError(.invalidRequest(reason: "a sign-in is already shown"), phase: .building)
        }
        let waiter = Waiter<Outcome>()
        show(page, scheme, waiter)
        let outcome = await waiter.value { waiter.resume(returning: .failed(.cancelled)) }
        session?.cancel()
        session = nil
        switch outcome {
        case .redirected(let redirected): return try request.code(in: redirected)
        case .failed(let kind): throw NetworkError(kind, phase: .middleware)
        }
    }

    private enum Outcome: Sendable {
        case redirected(to: String)
        case failed(NetworkError.Kind)
    }

    private func show(_ page: URL, _ scheme: String, _ waiter: Waiter<Outcome>) {
        // The handler is called on any queue: as a closure of the main actor, it would trap.
        let session = ASWebAuthenticationSession(url: page, callback: .customScheme(scheme)) { @Sendable url, error in
            waiter.resume(returning: url.map { .redirected(to: $0.absoluteString) } ?? .failed(Self.kind(of: error)))
        }
        session.presentationContextProvider = self
        self.session = session
        if !session.start() {
            waiter.resume(returning: .failed(.transport(.other("the system doesn't show a sign-in page now"))))
        }
    }

    public func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
        anchor
    }

    private nonisolated static func kind(of error: (any Error)?) -> NetworkError.Kind {
        guard let error, (error as? ASWebAuthenticationSessionError)?.code != .canceledLogin else { return .cancelled }
        return .transport(.other("\(error)"))
    }
}
#endif
