import GodwitCore
import Synchronization

/// Who waits for events of a session, and since which call of ``BackgroundSession/finish()``.
struct SystemNews: Sendable {
    typealias Waiter = UnsafeContinuation<Void, Never>

    private(set) var era = 0
    private var waiters: [UUID: Waiter] = [:]

    var waiting: [Waiter] { Array(waiters.values) }

    mutating func wait(_ id: UUID, _ waiter: Waiter) { waiters[id] = waiter }

    mutating func leave(_ id: UUID) -> Waiter? { waiters.removeValue(forKey: id) }

    mutating func takeWaiting() -> [Waiter] {
        defer { waiters = [:] }
        return waiting
    }

    /// Ends all readings that have begun.
    mutating func end() -> [Waiter] {
        era += 1
        return takeWaiting()
    }
}

extension SystemTransfers {
    var era: Int { state.withLock(\.news.era) }

    /// The events that are not acknowledged, the oldest first.
    func events(after number: Int64) -> [BackgroundEvent] {
        state.withLock { state in
            state.jobs.values.compactMap(\.event).filter { $0.id > number }.sorted { $0.id < $1.id }
        }
    }

    /// The next event; nil once its readings are ended, or the task is cancelled.
    func event(after number: Int64, in era: Int) async -> BackgroundEvent? {
        await begin()
        while !Task.isCancelled, self.era == era {
            if let event = events(after: number).first { return event }
            await waitForNews(after: number, in: era)
        }
        return nil
    }

    private func waitForNews(after number: Int64, in era: Int) async {
        let id = UUID()
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (waiter: SystemNews.Waiter) in
                let isWaiting = state.withLock { state in
                    let isThere = state.jobs.values.contains { ($0.event?.id ?? 0) > number }
                    guard !isThere, state.news.era == era, !Task.isCancelled else { return false }
                    state.news.wait(id, waiter)
                    return true
                }
                if !isWaiting { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.news.leave(id) }?.resume()
        }
    }
}
