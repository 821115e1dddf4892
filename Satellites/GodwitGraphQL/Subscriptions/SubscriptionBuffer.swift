import GodwitCore
import GodwitSupport
import Synchronization

/// The events of one subscription that wait for its loop.
final class SubscriptionBuffer: Sendable {
    fileprivate struct State: Sendable {
        var events: [Data] = []
        var first = 0
        var byteCount = 0
        var end: Result<Void, NetworkError>?
        var reader: Waiter<Void>?
        /// Waits for room.
        var writer: Waiter<Bool>?

        var count: Int { events.count - first }
    }

    private static let cancelled = NetworkError(.cancelled, phase: .receiving)

    let id: String
    let operation: JSONMembers
    private let options: GraphQLSubscriptionOptions
    private let session: AccountSession
    private let account: AccountStamp
    private let state = Mutex(State())

    init(_ id: String, _ operation: JSONMembers, _ options: GraphQLSubscriptionOptions, _ session: AccountSession) {
        self.id = id
        self.operation = operation
        self.options = options
        self.session = session
        account = session.stamp
    }

    /// Adds an event, or drops one. Returns `false` if the event has to wait for room.
    func put(_ event: Data) -> Bool {
        let (reader, isDone) = state.withLock { state -> (Waiter<Void>?, Bool) in
            guard state.end == nil else { return (nil, true) }
            while state.isFull(with: event, options) {
                switch options.overflow {
                case .wait: return (nil, false)
                case .dropNewest: return (nil, true)
                case .dropOldest: _ = state.take()
                }
            }
            state.events.append(event)
            state.byteCount += State.size(event)
            return (state.reader.take(), true)
        }
        reader?.resume()
        return isDone
    }

    /// The error of a loop that took no events for too long.
    var overflow: NetworkError {
        let count = state.withLock(\.count)
        let reason =
            "a subscription's buffer is full: \(count) events wait for its loop, which holds up other subscriptions"
        return NetworkError(.transport(.other(reason)), phase: .receiving)
    }

    /// Ends the subscription. The first end counts.
    ///
    /// - Parameter discardsEvents: Whether waiting events can't be read any more.
    func finish(_ error: NetworkError?, discardsEvents: Bool = false) {
        let (reader, writer) = state.withLock { state in
            if discardsEvents {
                state.events = []
                state.first = 0
                state.byteCount = 0
            }
            if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
            return (state.reader.take(), state.writer.take())
        }
        reader?.resume()
        writer?.resume(returning: true)
    }

    /// Gets `true` once an event was taken or the subscription has ended; `nil` if there is room. For one task at a time.
    func room(for event: Data) -> Waiter<Bool>? {
        state.withLock { state in
            guard state.end == nil, state.isFull(with: event, options) else { return nil }
            let waiter = Waiter<Bool>()
            state.writer = waiter
            return waiter
        }
    }

    /// The next event; `nil` after the last. For one loop at a time. Throws what ended the subscription.
    func next() async throws(NetworkError) -> Data? {
        while true {
            var writer: Waiter<Bool>?
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
            writer?.resume(returning: true)
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
    /// What an event counts. Small ones take more memory than their bytes.
    fileprivate static func size(_ event: Data) -> Int { event.count + 64 }

    /// Whether an event exceeds the limit. One may.
    fileprivate func isFull(with event: Data, _ options: GraphQLSubscriptionOptions) -> Bool {
        count > 0 && byteCount + Self.size(event) > options.bufferedBytes
    }

    fileprivate mutating func take() -> Data? {
        guard first < events.count else { return nil }
        let event = events[first]
        events[first] = Data()
        byteCount -= Self.size(event)
        first += 1
        // Dropping the consumed half at a time keeps each removal cheap on average.
        if first > events.count / 2 {
            events.removeFirst(first)
            first = 0
        }
        return event
    }
}
