import GodwitSupport

/// Does what ``EventSourceState`` decides, for one loop over an event source.
final class EventRun {
    private let opening: EventOpening
    private let options: EventSource.Options
    private let timeline: Timeline
    private let random: RandomSource
    private var state: EventSourceState
    private var body: HTTPBody.AsyncIterator?
    /// The secrets of the latest connection's call.
    private(set) var sent: SentSecrets?
    /// When the events must be over.
    private var deadline: CallDeadline?
    /// The account of the events; `nil` before the first connection, and for requests without authentication.
    private var account: AccountStamp?

    init(_ opening: EventOpening, _ options: EventSource.Options, _ timeline: Timeline, _ random: RandomSource) {
        self.opening = opening
        self.options = options
        self.timeline = timeline
        self.random = random
        state = EventSourceState(options)
    }

    /// The next event, over as many connections as necessary; `nil` after the last.
    func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> ServerSentEvent? {
        while true {
            switch state.step() {
            case .connect: await connect()
            case .read: await read(isolation: actor)
            case .wait(let delay, let error): await wait(delay, after: error)
            case .event(let event):
                // The account may have changed while the stream was open.
                guard let account, !opening.session.isCurrent(account) else { return event }
                state.end(opening.session.changed(nil))
            case .end(let error):
                body = nil
                options.onStateChange?(.closed)
                if let error { throw error }
            case .none: return nil
            }
        }
    }

    private nonisolated(nonsending) func connect() async {
        options.onStateChange?(.connecting)
        do throws(NetworkError) {
            var request = try opening.request(after: state.lastEventID)
            deadline = request.options.deadline
            if request.options.authentication == .required {
                if account == nil { account = await opening.session.begin() }
                request.options.account = account
            }
            state.willSend(request)
            guard let response = try await opening.stream(request) else { return state.end(nil) }
            state.connected(at: timeline.now)
            sent = SentSecrets(response.request)
            body = response.body.makeAsyncIterator()
            options.onStateChange?(.open(response.head))
        } catch {
            disconnected(error)
        }
    }

    private func read(isolation actor: isolated (any Actor)?) async {
        do throws(NetworkError) {
            if let chunk = try await body?.next(isolation: actor) { return state.receive(chunk) }
            disconnected(nil)
        } catch {
            disconnected(error)
        }
    }

    private func disconnected(_ error: NetworkError?) {
        body = nil
        if let error, let deadline, deadline.remaining == .zero { return state.end(error) }
        let (old, now) = (state, timeline.now)
        state = random.draw { generator in
            var new = old
            new.disconnected(error, at: now, using: &generator)
            return new
        }
    }

    private nonisolated(nonsending) func wait(_ delay: Duration, after error: NetworkError?) async {
        options.onStateChange?(.waiting(delay, after: error))
        do throws(CancellationError) {
            try await timeline.sleep(for: deadline.map { min($0.remaining, delay) } ?? delay)
        } catch {
            state.end(NetworkError(.cancelled, phase: .connecting))
        }
    }
}

/// Makes the connections of an event source.
struct EventOpening: Sendable {
    let session: AccountSession
    /// Makes the request, without `Last-Event-ID`.
    let request: @Sendable () throws(NetworkError) -> HTTPRequest
    /// Sends a request, and returns a response with an accepted status.
    let send: @Sendable (HTTPRequest) async throws(NetworkError) -> HTTPResponse
    /// Makes the error for a response that is not an event stream.
    let refusal: @Sendable (NetworkError.Kind, HTTPResponse) async -> NetworkError

    /// The request for the events after this ID.
    func request(after lastEventID: String) throws(NetworkError) -> HTTPRequest {
        var request = try request()
        if !lastEventID.isEmpty { request.fields[.lastEventID] = lastEventID }
        return request
    }

    /// The response with an event stream; `nil` if the server has no more events.
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
