import Synchronization

/// Validates stale responses that were used (RFC 5861 section 3), each by a call of its own that nobody waits for.
///
/// It stands outside of limits, credentials, redirects and cookies: so such a call waits for its turn like any other, is signed
/// in, and its cookies are kept. One is under way for each request at a time. After a failure none is begun for as long as the
/// server asks by `Retry-After`, and for a second at least.
struct Revalidation: Middleware {
    private let table = RevalidationTable()
    private let timeline: Timeline

    init(clock: any Clock<Duration>) {
        timeline = Timeline(clock)
    }

    /// Other policies never use what is stale.
    func handles(_ call: Call) -> Bool {
        call.request.options.cachePolicy == .useProtocol && call.request.method.isSafe
    }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let response = try await next(call)
        if case .untilValidated = response.staleUse { begin(call, next) }
        return response
    }

    @inline(never)
    private func begin(_ call: Call, _ next: Next) {
        var validation = call.inBackground
        validation.request.options.cachePolicy = .reloadRevalidating
        guard let key = SharingKey(validation.request, validation.account, identity: { _ in "" }),
            table.begin(key, at: timeline.now)
        else { return }
        Task(priority: .utility) { [validation] in
            let pause = await pause(after: validation, next)
            table.end(key, pause: pause, at: timeline.now)
        }
    }

    /// Sends the call; how long to send none like it, `nil` if it succeeded.
    private func pause(after validation: Call, _ next: Next) async -> Duration? {
        do throws(NetworkError) {
            let response = try await next(validation)
            guard let head = response.headFromServer else { return Self.shortestPause }
            let isFailure = head.status.isServerFailure || head.status == .tooManyRequests
            return head.retryAfter ?? (isFailure ? Self.shortestPause : nil)
        } catch {
            // A failure is nobody's: the next call meets it itself.
            return max(error.suggestedRetryDelay ?? .zero, Self.shortestPause)
        }
    }

    private static let shortestPause = Duration.seconds(1)
}

/// Which validations are under way, and which are not to be begun yet.
final class RevalidationTable: Sendable {
    /// More pauses are not remembered.
    private static let longest = 256

    private struct State {
        var underWay: Set<SharingKey> = []
        var pausedUntil: [SharingKey: Duration] = [:]
    }

    private let state = Mutex(State())

    /// Takes on a validation; false if it is under way, or too early.
    func begin(_ key: SharingKey, at now: Duration) -> Bool {
        state.withLock { state in
            if let until = state.pausedUntil[key] {
                guard now >= until else { return false }
                state.pausedUntil[key] = nil
            }
            return state.underWay.insert(key).inserted
        }
    }

    func end(_ key: SharingKey, pause: Duration?, at now: Duration) {
        state.withLock { state in
            state.underWay.remove(key)
            guard let pause else { return }
            if state.pausedUntil.count >= Self.longest {
                state.pausedUntil = state.pausedUntil.filter { $0.value > now }
            }
            guard state.pausedUntil.count < Self.longest else { return }
            state.pausedUntil[key] = now + pause
        }
    }
}
