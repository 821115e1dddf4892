import Synchronization

/// One request and all of its response; returns the number of body bytes.
public typealias Exchange = @Sendable () async throws -> Int

/// Runs an exchange a number of times with a limit of concurrent runs.
public func repeating(_ exchange: @escaping Exchange, count: Int, inFlight: Int) async -> Totals {
    if inFlight == 1 { return await repeating(exchange, count: count) }
    let started = Counter()
    return await withTaskGroup(of: Totals.self) { group in
        for _ in 0..<inFlight {
            group.addTask {
                var totals = Totals()
                while started.next() <= count { totals.add(await outcome(of: exchange)) }
                return totals
            }
        }
        return await group.reduce(into: Totals()) { $0 += $1 }
    }
}

/// Runs in sequence in the calling task.
private func repeating(_ exchange: Exchange, count: Int) async -> Totals {
    var totals = Totals()
    for _ in 0..<count { totals.add(await outcome(of: exchange)) }
    return totals
}

private func outcome(of exchange: Exchange) async -> Result<Int, any Error> {
    do { return .success(try await exchange()) } catch { return .failure(error) }
}

private final class Counter: Sendable {
    private let value = Atomic(0)

    func next() -> Int {
        value.add(1, ordering: .relaxed).newValue
    }
}
