/// One reading of an event source: connects, reads, waits, and connects again.
final class EventRun {
    private let opening: EventOpening
    private let options: EventSource.Options
    private let timeline: Timeline
    private let random: RandomSource
    private var parser: EventStreamParser
    private var reconnection: Reconnection
    private var body: HTTPBody.AsyncIterator?
    /// Whose events they are; `nil` before the first connection, and for those that need no account.
    private var account: AccountStamp?
    private var isOver = false
    /// Whether the request may be sent again, as far as it is known.
    private var isRepeatable = false
    private var openingTime = Duration.zero
    private var failedAttempts = 0

    init(_ opening: EventOpening, _ options: EventSource.Options, _ timeline: Timeline, _ random: RandomSource) {
        self.opening = opening
        self.options = options
        self.timeline = timeline
        self.random = random
        parser = EventStreamParser(lastEventID: options.lastEventID, limit: options.eventLimit)
        reconnection = Reconnection(options.backoff)
    }

    /// The next event, over as many connections as it takes; nil when there are no more.
    func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> ServerSentEvent? {
        while !isOver {
            if body == nil {
                try await connect()
            } else if let event = try nextParsed() {
                // The stream may have stayed open longer than its account.
                if let account, !opening.session.isCurrent(account) { throw over(opening.session.changed(nil)) }
                return event
            } else {
                try await read(isolation: actor)
            }
        }
        return nil
    }

    private func nextParsed() throws(NetworkError) -> ServerSentEvent? {
        do throws(EventTooLarge) {
            guard let event = try parser.next() else { return nil }
            reconnection.noteProgress()
            return event
        } catch {
            throw over(NetworkError(.tooLarge(limit: Int64(error.limit)), phase: .receiving, underlying: error))
        }
    }

    private func read(isolation actor: isolated (any Actor)?) async throws(NetworkError) {
        do throws(NetworkError) {
            if let chunk = try await body?.next(isolation: actor) { return parser.append(chunk) }
        } catch {
            body = nil
            guard isRepeatable, isWorthRepeating(error) else { throw over(error) }
            return try await wait(after: error)
        }
        body = nil
        guard isRepeatable else { return close() }
        try await wait(after: nil)
    }

    private nonisolated(nonsending) func connect() async throws(NetworkError) {
        options.onStateChange?(.connecting)
        do throws(NetworkError) {
            var request = try opening.request(after: parser.lastEventID)
            if request.options.authentication == .required {
                if account == nil { account = await opening.session.begin() }
                request.options.account = account
            }
            isRepeatable = options.reconnection.allows(request)
            guard let response = try await opening.stream(request) else { return close() }
            failedAttempts = 0
            openingTime = timeline.now
            parser = EventStreamParser(lastEventID: parser.lastEventID, limit: options.eventLimit)
            body = response.body.makeAsyncIterator()
            options.onStateChange?(.open(response.head))
        } catch {
            failedAttempts += 1
            openingTime = timeline.now
            let isLimitReached = options.failureLimit.map { failedAttempts > max(0, $0) } ?? false
            guard isRepeatable, isWorthRepeating(error), !isLimitReached else { throw over(error) }
            try await wait(after: error)
        }
    }

    private nonisolated(nonsending) func wait(after error: NetworkError?) async throws(NetworkError) {
        reconnection.serverDelay = parser.reconnectionTime ?? reconnection.serverDelay
        let lifetime = timeline.now - openingTime
        let reconnection = reconnection
        let (changed, delay) = random.draw { generator in
            var changed = reconnection
            let delay = changed.delay(
                afterConnectionOf: lifetime, asked: error?.suggestedRetryDelay, using: &generator)
            return (changed, delay)
        }
        self.reconnection = changed
        options.onStateChange?(.waiting(delay, after: error))
        do throws(CancellationError) {
            try await timeline.sleep(for: delay)
        } catch {
            throw over(NetworkError(.cancelled, phase: .connecting))
        }
    }

    /// Whether another connection may fare better.
    private func isWorthRepeating(_ error: NetworkError) -> Bool {
        if let status = error.response?.status, !status.isSuccessful { return options.statuses.contains(status.code) }
        return switch error.kind {
        case .timedOut(.total), .transport(.cannotSendBody): false
        case .offline, .timedOut, .transport: true
        default: false
        }
    }

    private func over(_ error: NetworkError) -> NetworkError {
        close()
        return error
    }

    private func close() {
        isOver = true
        body = nil
        options.onStateChange?(.closed)
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

/// How the connections of an event source are made.
struct EventOpening: Sendable {
    /// Whose events they are.
    let session: AccountSession
    /// Makes the request, without `Last-Event-ID`.
    let request: @Sendable () throws(NetworkError) -> HTTPRequest
    /// Sends it, and returns a response whose status was accepted.
    let send: @Sendable (HTTPRequest) async throws(NetworkError) -> HTTPResponse
    /// The error for an answer that is not an event stream.
    let refusal: @Sendable (NetworkError.Kind, HTTPResponse) async -> NetworkError

    /// The request for a connection behind an event.
    func request(after lastEventID: String) throws(NetworkError) -> HTTPRequest {
        var request = try request()
        if !lastEventID.isEmpty { request.fields[.lastEventID] = lastEventID }
        return request
    }

    /// The content of an answer that is an event stream; nil where the server has no more events.
    func stream(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse? {
        let response = try await send(request)
        let status = response.head.status
        if status == .noContent { return nil }
        guard status == .ok else { throw await refusal(.unexpectedStatus(status.code), response) }
        let type = response.head.fields[.contentType]
        guard type.flatMap(MediaType.init(_:))?.matches(.eventStream) == true else {
            throw await refusal(.unexpectedContentType(type), response)
        }
        return response
    }
}
