import Synchronization

/// Shows the latest progress to any number of readers, each at its own pace. Nobody is waited for.
package final class ProgressBoard: Sendable {
    /// A progress, and its place among all that were shown.
    package struct Notice: Sendable {
        package let progress: TransferProgress
        let number: Int
    }

    fileprivate typealias Reader = CheckedContinuation<Notice?, Never>

    fileprivate struct State {
        var latest: Notice?
        var isOver = false
        var readers: [Int: Reader] = [:]
        var nextReader = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Shows a progress in place of the one before.
    package func show(_ progress: TransferProgress) {
        let (notice, readers) = state.withLock { state in
            let notice = Notice(progress: progress, number: (state.latest?.number ?? 0) + 1)
            state.latest = notice
            return (notice, state.takeReaders())
        }
        for reader in readers { reader.resume(returning: notice) }
    }

    /// Says that no more will come.
    package func finish() {
        let readers = state.withLock { state in
            state.isOver = true
            return state.takeReaders()
        }
        for reader in readers { reader.resume(returning: nil) }
    }

    /// The latest, once it is another than the one of this number; nil at the end, or when the task is cancelled.
    package func next(after number: Int) async -> Notice? {
        let id = state.withLock { state in
            state.nextReader += 1
            return state.nextReader
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait(as: id, after: number, with: $0) }
        } onCancel: {
            state.withLock { $0.readers.removeValue(forKey: id) }?.resume(returning: nil)
        }
    }

    private func wait(as id: Int, after number: Int, with reader: Reader) {
        let isWaiting = state.withLock { state -> Bool in
            let hasNews = state.latest.map { $0.number > number } ?? false
            guard !hasNews, !state.isOver, !Task.isCancelled else { return false }
            state.readers[id] = reader
            return true
        }
        guard !isWaiting else { return }
        let latest = state.withLock(\.latest)
        reader.resume(returning: latest.flatMap { $0.number > number && !Task.isCancelled ? $0 : nil })
    }
}

extension ProgressBoard.State {
    fileprivate mutating func takeReaders() -> [ProgressBoard.Reader] {
        defer { readers = [:] }
        return Array(readers.values)
    }
}
