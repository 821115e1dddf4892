/// Decides when an event source connects, reads, waits and ends. A pure value.
struct EventSourceState: Sendable {
    enum Step: Sendable {
        case connect
        case read
        case event(ServerSentEvent)
        case wait(Duration, after: NetworkError?)
        /// Reported once.
        case end(NetworkError?)
        case none
    }

    private enum Phase {
        case connecting
        case open(since: Duration)
        case waiting(Duration, after: NetworkError?)
        case ending(NetworkError?)
        case closed
    }

    private let options: EventSource.Options
    private var phase = Phase.connecting
    private var parser: EventStreamParser
    private var reconnection: Reconnection
    private var failedAttempts = 0
    private var hasConnected = false
    /// Whether the request may be sent again; `false` until there is a request.
    private var isRepeatable = false

    init(_ options: EventSource.Options) {
        self.options = options
        parser = EventStreamParser(lastEventID: options.lastEventID, limit: options.eventLimit)
        reconnection = Reconnection(options.backoff, longest: options.longestRetryAfter)
    }

    /// The ID to resume after.
    var lastEventID: String { parser.lastEventID }

    /// What to do next.
    mutating func step() -> Step {
        if case .open = phase, let event = parsed() { return .event(event) }
        switch phase {
        case .connecting: return .connect
        case .open: return .read
        case .waiting(let delay, let error):
            phase = .connecting
            return .wait(delay, after: error)
        case .ending(let error):
            phase = .closed
            return .end(error)
        case .closed: return .none
        }
    }

    private mutating func parsed() -> ServerSentEvent? {
        do throws(EventTooLarge) {
            guard let event = try parser.next() else { return nil }
            reconnection.noteProgress()
            return event
        } catch {
            end(NetworkError(.tooLarge(limit: Int64(error.limit)), phase: .receiving, underlying: error))
            return nil
        }
    }

    /// The request of an attempt is known.
    mutating func willSend(_ request: HTTPRequest) {
        isRepeatable = options.reconnection.allows(request)
    }

    /// An attempt connected.
    mutating func connected(at now: Duration) {
        failedAttempts = 0
        hasConnected = true
        parser = EventStreamParser(lastEventID: parser.lastEventID, limit: options.eventLimit)
        phase = .open(since: now)
    }

    mutating func receive(_ chunk: Data) {
        parser.append(chunk)
    }

    /// An attempt failed, or its connection ended; without an error if the server ended it.
    mutating func disconnected(
        _ error: NetworkError?, at now: Duration, using generator: inout some RandomNumberGenerator
    ) {
        var lifetime = Duration.zero
        if case .open(let start) = phase { lifetime = now - start } else { failedAttempts += 1 }
        let isLimitReached = options.failureLimit.map { failedAttempts > max(0, $0) } ?? false
        guard isRepeatable, !isLimitReached, error.map(isRecoverable) ?? true else { return end(error) }
        reconnection.serverDelay = parser.reconnectionTime ?? reconnection.serverDelay
        let delay = reconnection.delay(
            afterConnectionOf: lifetime, asked: error?.suggestedRetryDelay, using: &generator)
        phase = .waiting(delay, after: error)
    }

    /// Ends the events: the server has no more, or an error that no other connection would fix.
    mutating func end(_ error: NetworkError?) {
        phase = .ending(error)
    }

    /// Whether another connection may succeed.
    private func isRecoverable(_ error: NetworkError) -> Bool {
        if let status = error.response?.status, !status.isSuccessful {
            return options.statuses.contains(status.code)
                || hasConnected && options.reconnectionStatuses.contains(status.code)
        }
        return switch error.kind {
        case .timedOut(.total), .transport(.cannotSendBody): false
        case .offline, .timedOut, .transport: true
        default: false
        }
    }
}

extension EventSource.Reconnecting {
    fileprivate func allows(_ request: HTTPRequest) -> Bool {
        guard request.body?.isReplayable ?? true else { return false }
        return switch self {
        case .automatic: request.method.isSafe
        case .always: true
        case .never: false
        }
    }
}
