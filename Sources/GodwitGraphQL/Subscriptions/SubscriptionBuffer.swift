import GodwitCore
import Synchronization

/// The events of one subscription that wait for its loop.
final class SubscriptionBuffer: Sendable {
    fileprivate struct State: Sendable {
        var events: [Data] = []
        var first = 0
        var byteCount = 0
        var end: Result<Void, NetworkError>?
        var reader: Waiter<Void>?
        /// Who waits for room.
        var writer: Waiter<Void>?

        var count: Int { events.count - first }
    }

    /// What a new event leads to.
    enum Outcome: Sendable {
        case kept
        case overflow(NetworkError)
    }

    private static let cancelled = NetworkError(.cancelled, phase: .receiving)

    let id: String
    let operation: JSONMembers
    private let options: GraphQLSubscriptionOptions
    private let session: AccountSession
    private let account: AccountStamp
    private let state = Mutex(State())

    init(_ id: String, _ operation: JSONMembers, _ options: GraphQLSubscriptionOptions, _ session: AccountSession) {
        (self.id, self.operation, self.options) = (id, operation, options)
        (self.session, account) = (session, session.stamp)
    }

    /// Adds an event, by the rules for too many.
    func put(_ event: Data) -> Outcome {
        let (reader, outcome) = state.withLock { state -> (Waiter<Void>?, Outcome) in
            guard state.end == nil else { return (nil, .kept) }
            while state.isFull(with: event, options) {
                switch options.overflow {
                case .fail: return (nil, .overflow(overflow(state.count)))
                case .dropNewest: return (nil, .kept)
                case .dropOldest: _ = state.take()
                }
            }
            state.events.append(event)
            state.byteCount += event.count
            return (state.reader.take(), .kept)
        }
        reader?.resume()
        return outcome
    }

    private func overflow(_ count: Int) -> NetworkError {
        let reason = "a subscription's buffer is full: \(count) events wait for its loop"
        return NetworkError(.transport(.other(reason)), phase: .receiving)
    }

    /// Ends the subscription. The first end counts.
    ///
    /// - Parameter discardsEvents: Whether waiting events can't be read any more.
    func finish(_ error: NetworkError?, discardsEvents: Bool = false) {
        let (reader, writer) = state.withLock { state in
            if discardsEvents { (state.events, state.first, state.byteCount) = ([], 0, 0) }
            if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
            return (state.reader.take(), state.writer.take())
        }
        reader?.resume()
        writer?.resume()
    }

    /// Waits until an event was taken, the subscription ends or the task is canceled. For one task at a time.
    func room(for event: Data) async {
        let waiter = state.withLock { state -> Waiter<Void>? in
            guard state.end == nil, state.isFull(with: event, options) else { return nil }
            let waiter = Waiter<Void>()
            state.writer = waiter
            return waiter
        }
        await waiter?.value { waiter?.resume() }
    }

    /// The next event; `nil` after the last. For one loop at a time. Throws what ended the subscription.
    func next() async throws(NetworkError) -> Data? {
        while true {
            var writer: Waiter<Void>?
            let (event, end, waiter) = state.withLock { state -> (Data?, Result<Void, NetworkError>?, Waiter<Void>?) in
                if let event = state.take() {
                    writer = state.writer.take()
                    return (event, nil, nil)
                }
                if let end = state.end { return (nil, end, nil) }
                let waiter = Waiter<Void>()
                state.reader = waiter
                return (nil, nil, waiter)
            }
            writer?.resume()
            if let event {
                // A subscription that had ended isn't one of the hub's any more, but its events are the former account's.
                guard session.isCurrent(account) else { throw .accountChanged(.receiving) }
                return event
            }
            if let end {
                try end.get()
                return nil
            }
            await waiter?.value { waiter?.resume() }
            if Task.isCancelled { throw Self.cancelled }
        }
    }
}

extension SubscriptionBuffer.State {
    /// Whether an event exceeds a limit. One event may exceed that of bytes.
    fileprivate func isFull(with event: Data, _ options: GraphQLSubscriptionOptions) -> Bool {
        count >= max(1, options.bufferedEvents) || (count > 0 && byteCount + event.count > options.bufferedBytes)
    }

    fileprivate mutating func take() -> Data? {
        guard first < events.count else { return nil }
        let event = events[first]
        events[first] = Data()
        byteCount -= event.count
        first += 1
        // Dropping the consumed half at a time keeps each removal cheap on average.
        if first > events.count / 2 {
            events.removeFirst(first)
            first = 0
        }
        return event
    }
}
