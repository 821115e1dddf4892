import GodwitSupport

extension Sequence where Element: Sendable {
    /// Transforms all elements concurrently, a limited number at a time, and returns the results.
    ///
    /// ```swift
    /// let articles = try await ids.concurrentMap(limit: 6) { try await api.send(.article(id: $0)) }
    /// ```
    ///
    /// Each finished element makes room for the next one, so a slow element doesn't delay others. The first error
    /// cancels the other elements, and is thrown after they have ended. If the calling task is canceled, so are all
    /// transforms, including those that start later.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of concurrent transforms. Less than 1 counts as 1.
    ///   - ordering: The order of the results. That of the sequence by default.
    ///   - transform: Transforms one element.
    public func concurrentMap<Result: Sendable, Failure: Error>(
        limit: Int, ordering: ResultOrder = .source,
        _ transform: @escaping @Sendable (Element) async throws(Failure) -> Result
    ) async throws(Failure) -> [Result] {
        var results: [Result] = []
        for result in await window(limit: limit, ordering: ordering, stopsAtFailure: true, transform) {
            results.append(try result.get())
        }
        return results
    }

    /// Transforms all elements concurrently, a limited number at a time, and returns the results and errors.
    ///
    /// ```swift
    /// let results = await urls.concurrentResults(limit: 4) { url throws(NetworkError) in try await load(url) }
    /// ```
    ///
    /// An error doesn't affect other elements. If the calling task is canceled, so are all transforms; every element
    /// still has a result.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of concurrent transforms. Less than 1 counts as 1.
    ///   - ordering: The order of the results. That of the sequence by default.
    ///   - transform: Transforms one element.
    public func concurrentResults<Success: Sendable, Failure: Error>(
        limit: Int, ordering: ResultOrder = .source,
        _ transform: @escaping @Sendable (Element) async throws(Failure) -> Success
    ) async -> [Result<Success, Failure>] {
        await window(limit: limit, ordering: ordering, stopsAtFailure: false, transform)
    }

    /// Runs up to `limit` tasks. If it stops at a failure, returns only that failure.
    private func window<Success: Sendable, Failure: Error>(
        limit: Int, ordering: ResultOrder, stopsAtFailure: Bool,
        _ transform: @escaping @Sendable (Element) async throws(Failure) -> Success
    ) async -> [Result<Success, Failure>] {
        await withTaskGroup(of: Indexed<Result<Success, Failure>>.self) { group in
            var done: [Indexed<Result<Success, Failure>>] = []
            var source = enumerated().makeIterator()
            var running = 0
            while true {
                while running < Swift.max(1, limit), let (index, element) = source.next() {
                    group.addTask {
                        let value = await Result.catching { () async throws(Failure) in try await transform(element) }
                        return Indexed(index: index, value: value)
                    }
                    running += 1
                }
                guard let next = await group.next() else { break }
                running -= 1
                if stopsAtFailure, case .failure = next.value {
                    group.cancelAll()
                    return [next.value]
                }
                done.append(next)
            }
            return (ordering == .source ? done.sorted { $0.index < $1.index } : done).map(\.value)
        }
    }
}

private struct Indexed<Value: Sendable>: Sendable {
    let index: Int
    let value: Value
}

/// The order of the results of `concurrentMap` and `concurrentResults`.
///
/// ```swift
/// let articles = try await ids.concurrentMap(limit: 6, ordering: .completion) { try await api.send(.article(id: $0)) }
/// ```
public enum ResultOrder: Sendable, Hashable {
    /// The order of the elements.
    case source
    /// The order in which the transforms finish.
    case completion
}
