extension Sequence where Element: Sendable {
    /// Works on all elements, a limited number at a time, and returns the results.
    ///
    /// ```swift
    /// let articles = try await ids.concurrentMap(limit: 6) { try await api.send(.article(id: $0)) }
    /// ```
    ///
    /// The next element is begun as soon as any other is done, so one slow element holds up no others. The first error
    /// cancels the rest, waits for them to end and is thrown. Cancelling the calling task cancels the work under way;
    /// what has not begun is begun cancelled, and ends as such work does.
    ///
    /// - Parameters:
    ///   - limit: The most elements worked on at once; less than 1 counts as 1.
    ///   - ordering: That of the results.
    ///   - transform: The work.
    public func concurrentMap<Result: Sendable, Failure: Error>(
        limit: Int, ordering: ResultOrder = .source,
        _ transform: @escaping @Sendable (Element) async throws(Failure) -> Result
    ) async throws(Failure) -> [Result] {
        var results: [Result] = []
        for result in await window(limit: limit, ordering: ordering, stopsAtFailure: .yes, transform) {
            results.append(try result.get())
        }
        return results
    }

    /// Works on all elements, a limited number at a time, and returns what became of each; no error stops the others.
    ///
    /// - Parameters:
    ///   - limit: The most elements worked on at once; less than 1 counts as 1.
    ///   - ordering: That of the results.
    ///   - transform: The work.
    ///
    /// ```swift
    /// let results = await urls.concurrentResults(limit: 4) { url throws(NetworkError) in try await load(url) }
    /// ```
    ///
    /// Cancelling the calling task cancels the work under way; every element still has a result.
    public func concurrentResults<Success: Sendable, Failure: Error>(
        limit: Int, ordering: ResultOrder = .source,
        _ transform: @escaping @Sendable (Element) async throws(Failure) -> Success
    ) async -> [Result<Success, Failure>] {
        await window(limit: limit, ordering: ordering, stopsAtFailure: .no, transform)
    }

    /// Keeps up to a number of tasks going. Where it stops at a failure, that failure alone is returned.
    private func window<Success: Sendable, Failure: Error>(
        limit: Int, ordering: ResultOrder, stopsAtFailure: Stopping,
        _ transform: @escaping @Sendable (Element) async throws(Failure) -> Success
    ) async -> [Result<Success, Failure>] {
        await withTaskGroup(of: Indexed<Result<Success, Failure>>.self) { group in
            var done: [Indexed<Result<Success, Failure>>] = []
            var source = enumerated().makeIterator()
            var running = 0
            while true {
                while running < Swift.max(1, limit), let (index, element) = source.next() {
                    group.addTask { Indexed(index: index, value: await attempt(element, transform)) }
                    running += 1
                }
                guard let next = await group.next() else { break }
                running -= 1
                if stopsAtFailure == .yes, case .failure = next.value {
                    group.cancelAll()
                    return [next.value]
                }
                done.append(next)
            }
            return (ordering == .source ? done.sorted { $0.index < $1.index } : done).map(\.value)
        }
    }
}

private func attempt<Element, Success, Failure: Error>(
    _ element: Element, _ transform: (Element) async throws(Failure) -> Success
) async -> Result<Success, Failure> {
    do throws(Failure) {
        return .success(try await transform(element))
    } catch {
        return .failure(error)
    }
}

private enum Stopping {
    case yes, no
}

private struct Indexed<Value: Sendable>: Sendable {
    let index: Int
    let value: Value
}

/// In which order the results of concurrent work are returned.
///
/// Used by `concurrentMap` and `concurrentResults`.
///
/// ```swift
/// let articles = try await ids.concurrentMap(limit: 6, ordering: .completion) { try await api.send(.article(id: $0)) }
/// ```
public enum ResultOrder: Sendable, Hashable {
    /// As the elements stand in the source.
    case source
    /// As the work was done.
    case completion
}
