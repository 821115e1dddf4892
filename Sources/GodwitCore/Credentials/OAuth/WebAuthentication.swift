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
    /// The sheet that is shown, which nobody else holds.
    private var session: ASWebAuthenticationSession?

    /// Makes one that shows its sheet at a window.
    ///
    /// - Parameter anchor: The window.
    public init(anchor: ASPresentationAnchor) {
        self.anchor = anchor
    }

    /// Shows the page and waits for its answer, to a redirect with a scheme of the app's own.
    ///
    /// Throws `.cancelled` where the person closes the sheet or the task is cancelled, `.invalidRequest` while another
    /// sheet of this is shown, `.transport(.other)` with the system's words where there is none, and what
    /// ``AuthorizationRequest/code(in:)`` throws.
    ///
    /// - Parameter request: The request, whose redirect has a scheme that belongs to the app.
    public func code(for request: AuthorizationRequest) async throws(NetworkError) -> AuthorizationCode {
        let scheme = String(request.redirect.prefix { $0 != ":" })
        guard let page = request.url.url else {
            throw NetworkError(.invalidURL(reason: "Foundation cannot read the page's URL"), phase: .building)
        }
        guard session == nil else {
            throw NetworkError(.invalidRequest(reason: "a sign-in is shown already"), phase: .building)
        }
        let answer = SheetAnswer()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.wait(with: continuation)
                show(page, scheme, answer)
            }
        } onCancel: {
            answer.give(.failed(.cancelled))
        }
        session?.cancel()
        session = nil
        switch outcome {
        case .redirected(let redirected): return try request.code(in: redirected)
        case .failed(let kind): throw NetworkError(kind, phase: .middleware)
        }
    }

    private func show(_ page: URL, _ scheme: String, _ answer: SheetAnswer) {
        // The handler is called on any queue: as a closure of the main actor, it would end the process.
        let session = ASWebAuthenticationSession(url: page, callback: .customScheme(scheme)) { @Sendable url, error in
            answer.give(url.map { .redirected(to: $0.absoluteString) } ?? .failed(Self.kind(of: error)))
        }
        session.presentationContextProvider = self
        self.session = session
        if !session.start() {
            answer.give(.failed(.transport(.other("the system does not show a sign-in page now"))))
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

/// What a sheet ends with: its first answer, whoever gives it, before or after somebody waits.
private final class SheetAnswer: Sendable {
    enum Outcome: Sendable {
        case redirected(to: String)
        case failed(NetworkError.Kind)
    }

    private struct State {
        var outcome: Outcome?
        var waiting: CheckedContinuation<Outcome, Never>?
    }

    private let state = Mutex(State())

    func wait(with continuation: CheckedContinuation<Outcome, Never>) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.waiting = continuation }
            return state.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    func give(_ outcome: Outcome) {
        let waiting = state.withLock { state in
            state.outcome = state.outcome ?? outcome
            return state.waiting.take()
        }
        waiting?.resume(returning: outcome)
    }
}
#endif
