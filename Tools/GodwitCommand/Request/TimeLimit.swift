import Godwit

/// The limit of `-m` for what a command does before its call, such as reading the body.
enum TimeLimit {
    /// Does some work, which is canceled when the time is over.
    ///
    /// - Returns: The outcome, and the time that is left.
    /// - Throws: `.timedOut(.total)` as a network error, and what the work throws.
    static func run<Value: Sendable>(
        within limit: Duration, on clock: some Clock<Duration>,
        _ work: @escaping @Sendable () async throws(CommandFailure) -> Value
    ) async throws(CommandFailure) -> (Value, left: Duration) {
        let start = clock.now
        let first = await withTaskGroup(of: Result<Value, CommandFailure>?.self) { group in
            group.addTask {
                do throws(CommandFailure) { return .success(try await work()) } catch { return .failure(error) }
            }
            group.addTask {
                try? await clock.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if Task.isCancelled { throw .output(.cancelled) }
        let left = limit - start.duration(to: clock.now)
        guard let first, left > .zero else {
            throw .network(NetworkError(.timedOut(.total), phase: .building))
        }
        return (try first.get(), left)
    }
}
