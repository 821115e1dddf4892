import GodwitCore
import Synchronization

/// The events of one subscription that wait for its loop.
final class SubscriptionInbox: Sendable {
    fileprivate struct State: Sendable {
        var events: [Data] = []
        var first = 0
        var byteCount = 0
        var end: Result<Void, NetworkError>?
        var reader: Waiter<Void>?

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
    private let state = Mutex(State())

    init(_ id: String, _ operation: JSONMembers, _ options: GraphQLSubscriptionOptions) {
        (self.id, self.operation, self.options) = (id, operation, options)
    }

    /// Adds an event, by the rules for too many.
    func put(_ event: Data) -> Outcome {
        let (reader, outcome) = state.withLock { state -> (Waiter<Void>?, Outcome) in
            guard state.end == nil else { return (nil, .kept) }
            let isFull =
                state.count >= max(1, options.bufferedEvents)
                || (state.count > 0 && state.byteCount + event.count > options.bufferedBytes)
            if isFull {
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

    /// Ends the subscription. Waiting events can still be read. The first end counts.
    func finish(_ error: NetworkError?) {
        let reader = state.withLock { state in
            if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
            return state.reader.take()
        }
        reader?.resume()
    }

    /// The next event; `nil` after the last. For one loop at a time. Throws what ended the subscription.
    func next() async throws(NetworkError) -> Data? {
        while true {
            let (event, end, waiter) = state.withLock { state -> (Data?, Result<Void, NetworkError>?, Waiter<Void>?) in
                if let event = state.take() { return (event, nil, nil) }
                if let end = state.end { return (nil, end, nil) }
                let waiter = Waiter<Void>()
                state.reader = waiter
                return (nil, nil, waiter)
            }
            if let event { return event }
            if let end {
                try end.get()
                return nil
            }
            await waiter?.value { waiter?.resume() }
            if Task.isCancelled { throw Self.cancelled }
        }
    }
}

extension SubscriptionInbox.State {
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
