import GodwitSupport
import Synchronization

/// Validates stale responses that a cache inside it returned (RFC 5861 section 3), each with a separate call, which
/// telemetry observes like any other.
///
/// Its place is outside limits, credentials, redirects and cookies, so that they apply to the validation.
struct Revalidation: AdmittingMiddleware {
    private let validations: BackgroundValidations
    private let observer: (any ChainElement)?

    /// - Parameter observer: The middleware of telemetry that sees each call once.
    init(_ validations: BackgroundValidations, observedBy observer: (any ChainElement)? = nil) {
        self.validations = validations
        self.observer = observer
    }

    /// Other policies never use a stale response.
    func handles(_ call: Call) -> Bool {
        call.request.options.cachePolicy == .useProtocol && call.request.method.isSafe
    }

    func admit(_ call: inout Call, next: Next) -> Admission? {
        Admission { [call] outcome in
            if case .success(let response) = outcome, case .untilValidated = response.cacheUse { start(call, next) }
            return outcome
        }
    }

    private func start(_ call: Call, _ next: Next) {
        let observed = observer.map { next.following($0) } ?? next
        validations.start(call) { validation throws(NetworkError) in try await observed(validation) }
    }
}

/// Calls that validate stale responses after they were used.
///
/// Each request has at most one validation in progress. After a failure, the next one waits for the server's
/// `Retry-After`, at least one second and at most an hour.
final class BackgroundValidations: Sendable {
    private static let shortestPause = Duration.seconds(1)

    private let schedule = Mutex(RevalidationSchedule())
    private let timeline: Timeline

    init(clock: any Clock<Duration> = ContinuousClock()) {
        timeline = Timeline(clock)
    }

    /// Sends the validation of a call, unless one is in progress or it is too early.
    func start(_ call: Call, by send: @escaping @Sendable (Call) async throws(NetworkError) -> HTTPResponse) {
        var validation = call.inBackground
        validation.request.options.cachePolicy = .reloadRevalidating
        guard let key = SharingKey(validation.request, validation.account, identity: { _ in "" }) else { return }
        schedule.withLock { schedule in
            guard schedule.allows(key, at: timeline.now) else { return }
            schedule.inProgress[key] = Task(priority: .utility) { [validation] in
                let pause = await Self.pause(after: validation, send)
                self.schedule.withLock { $0.end(key, pause: pause, at: self.timeline.now) }
            }
        }
    }

    /// Waits for the validations in progress. Cancels them if the caller's task is canceled.
    func finish() async {
        for task in schedule.withLock({ Array($0.inProgress.values) }) {
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    /// Sends the call. Returns how long to wait before the next one, `nil` if it succeeded.
    private static func pause(
        after validation: Call, _ send: (Call) async throws(NetworkError) -> HTTPResponse
    ) async -> Duration? {
        do throws(NetworkError) {
            guard let head = try await send(validation).headFromServer else { return shortestPause }
            let isFailure = head.status.isServerFailure || head.status == .tooManyRequests
            guard isFailure || head.retryAfter != nil else { return nil }
            return pause(isFailure ? shortestPause : .zero, asked: head.retryAfter)
        } catch {
            return pause(shortestPause, asked: error.suggestedRetryDelay)
        }
    }

    private static func pause(_ own: Duration, asked: Duration?) -> Duration {
        RetryPause(own, asked: asked, longest: RetryPause.longestInBackground).duration
    }
}

/// The validations in progress, and the earliest time of the next ones.
private struct RevalidationSchedule {
    private static let maximumPauses = 256

    var inProgress: [SharingKey: Task<Void, Never>] = [:]
    private var pausedUntil: [SharingKey: Duration] = [:]

    /// Returns `false` if a validation is in progress, or if it is too early for the next.
    mutating func allows(_ key: SharingKey, at now: Duration) -> Bool {
        if let until = pausedUntil[key] {
            guard now >= until else { return false }
            pausedUntil[key] = nil
        }
        return inProgress[key] == nil
    }

    mutating func end(_ key: SharingKey, pause: Duration?, at now: Duration) {
        inProgress[key] = nil
        guard let pause else { return }
        if pausedUntil.count >= Self.maximumPauses { pausedUntil = pausedUntil.filter { $0.value > now } }
        guard pausedUntil.count < Self.maximumPauses else { return }
        pausedUntil[key] = now + pause
    }
}

extension Call {
    /// The call without its caller's events, and with a buffered response.
    fileprivate var inBackground: Call {
        var call = self
        call.request.options.onEvent = nil
        call.request.options.onHeadSent = nil
        call.request.options[PartialBody.self] = nil
        if case .streamed = call.request.delivery { call.request.delivery = .buffered }
        return call
    }
}
