import GodwitSupport
import Synchronization

/// Validates stale responses that were used (RFC 5861 section 3), each with a separate background call, which telemetry
/// observes like any other.
///
/// Its place is outside limits, credentials, redirects and cookies, so that they apply to the validation. Each request
/// has at most one validation in progress. After a failure, the next one waits for the server's `Retry-After`, at least
/// one second.
struct Revalidation: Middleware {
    private let schedule = RevalidationSchedule()
    private let timeline: Timeline
    private let observer: (any ChainElement)?

    /// - Parameter observer: The middleware of telemetry that sees each call once.
    init(clock: any Clock<Duration>, observedBy observer: (any ChainElement)? = nil) {
        timeline = Timeline(clock)
        self.observer = observer
    }

    /// Other policies never use a stale response.
    func handles(_ call: Call) -> Bool {
        call.request.options.cachePolicy == .useProtocol && call.request.method.isSafe
    }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let response = try await next(call)
        if case .untilValidated = response.cacheUse { start(call, next) }
        return response
    }

    @inline(never)
    private func start(_ call: Call, _ next: Next) {
        var validation = call.inBackground
        validation.request.options.cachePolicy = .reloadRevalidating
        guard let key = SharingKey(validation.request, validation.account, identity: { _ in "" }),
            schedule.begin(key, at: timeline.now)
        else { return }
        Task(priority: .utility) { [validation] in
            let pause = await pause(after: validation, next)
            schedule.end(key, pause: pause, at: timeline.now)
        }
    }

    /// Sends the call. Returns how long to wait before the next one, `nil` if it succeeded.
    private func pause(after validation: Call, _ next: Next) async -> Duration? {
        do throws(NetworkError) {
            let response = try await send(validation, next)
            guard let head = response.headFromServer else { return Self.shortestPause }
            let isFailure = head.status.isServerFailure || head.status == .tooManyRequests
            return head.retryAfter ?? (isFailure ? Self.shortestPause : nil)
        } catch {
            return max(error.suggestedRetryDelay ?? .zero, Self.shortestPause)
        }
    }

    private func send(_ validation: Call, _ next: Next) async throws(NetworkError) -> HTTPResponse {
        guard let observer else { return try await next(validation) }
        return try await next.following(observer)(validation)
    }

    private static let shortestPause = Duration.seconds(1)
}

/// The validations in progress, and the earliest time of the next ones.
final class RevalidationSchedule: Sendable {
    private static let maximumPauses = 256

    private struct State {
        var inProgress: Set<SharingKey> = []
        var pausedUntil: [SharingKey: Duration] = [:]
    }

    private let state = Mutex(State())

    /// Registers a validation. Returns `false` if one is in progress, or if it is too early.
    func begin(_ key: SharingKey, at now: Duration) -> Bool {
        state.withLock { state in
            if let until = state.pausedUntil[key] {
                guard now >= until else { return false }
                state.pausedUntil[key] = nil
            }
            return state.inProgress.insert(key).inserted
        }
    }

    func end(_ key: SharingKey, pause: Duration?, at now: Duration) {
        state.withLock { state in
            state.inProgress.remove(key)
            guard let pause else { return }
            if state.pausedUntil.count >= Self.maximumPauses {
                state.pausedUntil = state.pausedUntil.filter { $0.value > now }
            }
            guard state.pausedUntil.count < Self.maximumPauses else { return }
            state.pausedUntil[key] = now + pause
        }
    }
}
