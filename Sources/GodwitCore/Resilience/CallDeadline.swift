import GodwitSupport

/// When a call, or a transfer of several requests, must be over: ``Timeouts/call`` after its start.
struct CallDeadline: Sendable {
    private let timeline: Timeline
    private let length: Duration

    /// The time starts now.
    init(after limit: Duration, on clock: any Clock<Duration>) {
        length = limit
        timeline = Timeline(clock)
    }

    /// The time that is left; at least zero.
    var remaining: Duration { max(.zero, length - timeline.now) }

    /// Does some work of a call. Cancels it when the time is over, and throws `.timedOut(.total)`.
    func limit<Value: Sendable>(
        _ request: HTTPRequest, _ work: @escaping @Sendable () async throws(NetworkError) -> Value
    ) async throws(NetworkError) -> Value {
        try await withTaskGroup(of: Result<Value, NetworkError>?.self) { group in
            group.addTask { await Result.catching(work) }
            group.addTask {
                try? await timeline.sleep(for: remaining)
                return nil
            }
            if let outcome = await group.next() ?? nil {
                group.cancelAll()
                return outcome
            }
            // The time is over, unless the caller's task was canceled.
            let isTimeOver = !Task.isCancelled
            group.cancelAll()
            let outcome = await group.next() ?? nil
            let ended = outcome ?? .failure(NetworkError(.cancelled, phase: .middleware, request: request))
            return ended.mapError { canceled in
                var error = canceled
                if isTimeOver { error.kind = .timedOut(.total) }
                return error
            }
        }.get()
    }
}

extension CallDeadline? {
    /// Does some work of a call, limited if there is a deadline.
    func limit<Value: Sendable>(
        _ request: HTTPRequest, _ work: @escaping @Sendable () async throws(NetworkError) -> Value
    ) async throws(NetworkError) -> Value {
        guard let deadline = self else { return try await work() }
        return try await deadline.limit(request, work)
    }
}

private enum DeadlineOption: RequestOption {
    static var defaultValue: CallDeadline? { nil }
    static var affectsResponse: Bool { false }
}

extension RequestOptions {
    /// `nil` without ``Timeouts/call``, and before the call has started.
    var deadline: CallDeadline? {
        @inline(__always) get { self[DeadlineOption.self] }
        set { self[DeadlineOption.self] = newValue }
    }

    /// Starts the time of a call, unless it runs already.
    mutating func startDeadline(on clock: any Clock<Duration>) {
        guard let limit = timeouts.call, deadline == nil else { return }
        deadline = CallDeadline(after: limit, on: clock)
    }
}

/// Ends calls at their deadline, also while they wait for their turn or for the next attempt.
struct CallTimeout: Middleware {
    let clock: any Clock<Duration>

    func handles(_ call: Call) -> Bool { call.request.options.timeouts.call != nil }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        var started = call
        started.request.options.startDeadline(on: clock)
        let call = started
        return try await call.request.options.deadline.limit(call.request) { () throws(NetworkError) in
            try await next(call)
        }
    }
}

/// Gives each request that is sent what is left of its call's time: the transport limits a streamed body too.
struct RemainingTime: RequestMiddleware {
    func handles(_ call: Call) -> Bool { call.request.options.deadline != nil }

    func prepare(_ call: inout Call) {
        guard let left = call.request.options.deadline?.remaining else { return }
        call.request.options.timeouts.total = call.request.options.timeouts.total.map { min($0, left) } ?? left
    }
}
