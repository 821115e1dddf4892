import Godwit
import Synchronization

/// A change that the server announces.
nonisolated struct LiveEvent: Codable, Sendable {
    enum Kind: String, Codable {
        case created, changed, deleted, commented
        /// The version at the start of a watch.
        case current
    }

    let number: Int
    let kind: Kind
    let id: Int
    let title: String
    let version: Int
    let at: Date
}

/// Sends changes to all listeners, and keeps the latest for those that return.
nonisolated final class LiveChannel: Sendable {
    private struct State {
        var number = 0
        var latest: [LiveEvent] = []
        var listeners: [Int: AsyncStream<LiveEvent>.Continuation] = [:]
        var lastListener = 0
        var hasEnded = false
    }

    /// Maximum events kept, and waiting for a slow listener.
    private static let limit = 200

    private let state = Mutex(State())

    /// Announces a change. One at a time: the store calls it on its actor.
    func send(_ kind: LiveEvent.Kind, _ article: Article) {
        let (event, listeners) = state.withLock { state in
            state.number += 1
            let event = LiveEvent(article, kind, number: state.number)
            if state.latest.count >= Self.limit { state.latest.removeFirst() }
            state.latest.append(event)
            return (event, state.listeners.values)
        }
        // Not with the lock: a listener that is canceled meanwhile waits for it in `leave`, and `yield` for that listener.
        for listener in listeners { listener.yield(event) }
    }

    /// The events after a number, then each one as it happens.
    ///
    /// - Parameter number: `nil` for new events only.
    func events(after number: Int?) -> AsyncStream<LiveEvent> {
        let (events, listener) = AsyncStream.makeStream(
            of: LiveEvent.self, bufferingPolicy: .bufferingNewest(Self.limit))
        let id = state.withLock { state -> Int in
            state.lastListener += 1
            guard !state.hasEnded else {
                listener.finish()
                return state.lastListener
            }
            if let number {
                for event in state.latest where event.number > number { listener.yield(event) }
            }
            state.listeners[state.lastListener] = listener
            return state.lastListener
        }
        listener.onTermination = { [weak self] _ in self?.leave(id) }
        return events
    }

    /// Ends all listeners.
    func finish() {
        let listeners = state.withLock { state in
            state.hasEnded = true
            return state.listeners.values
        }
        for listener in listeners { listener.finish() }
    }

    private func leave(_ id: Int) {
        state.withLock { $0.listeners[id] = nil }
    }
}

nonisolated extension LiveEvent {
    init(_ article: Article, _ kind: Kind, number: Int = 0) {
        self.init(
            number: number, kind: kind, id: article.id, title: article.title, version: article.version, at: Date())
    }
}
