import GodwitCore
import Synchronization
import Testing

@Suite("N1 bounded concurrent work", .timeLimit(.minutes(15)))
struct ConcurrentMapTests {
    enum Fault: Error, Equatable {
        case number(Int)
    }

    @Test("N1 results keep the order of the sequence")
    func sourceOrder() async {
        let gate = Gate()
        let results = await (0..<5).concurrentMap(limit: 5) { number in
            await gate.waitForTurn(4 - number)
            return number * 10
        }
        #expect(results == [0, 10, 20, 30, 40])
    }

    @Test("N1 results can be returned in the order of completion")
    func completionOrder() async {
        // The third element is asked for once one of the first two is done and counted; that lets the first go on.
        let gate = Gate()
        let source = sequence(state: 0) { (number: inout Int) -> Int? in
            defer { number += 1 }
            if number == 2 { gate.pass() }
            return number < 3 ? number : nil
        }
        let results = await source.concurrentMap(limit: 2, ordering: .completion) { number in
            if number == 0 { await gate.waitForTurn(1) }
            return number
        }
        #expect(results.first == 1)
        #expect(Set(results) == [0, 1, 2])
    }

    @Test(
        "N1 never more than the limit run concurrently, and each end starts another",
        arguments: [(1, 1), (3, 3), (0, 1), (-5, 1), (100, 40)])
    func limit(limit: Int, peak: Int) async {
        let crowd = Crowd()
        let results = await (0..<40).concurrentMap(limit: limit) { number in
            crowd.enter()
            for _ in 0..<5 { await Task.yield() }
            crowd.leave()
            return number
        }
        #expect(results == Array(0..<40))
        #expect(crowd.peak <= peak)
        #expect(crowd.peak >= 1)
    }

    @Test("N1 a slow element doesn't delay others")
    func slidingWindow() async {
        let others = Gate()
        // Ends only if the nine others are begun and done while the first still waits.
        let results = await (0..<10).concurrentMap(limit: 2) { number in
            if number == 0 { await others.waitForTurn(9) } else { others.pass() }
            return number
        }
        #expect(results == Array(0..<10))
    }

    @Test("N1 an empty sequence")
    func empty() async {
        #expect(await [Int]().concurrentMap(limit: 3) { $0 }.isEmpty)
    }

    @Test("N1 the first error is thrown, typed, and the rest is canceled")
    func firstError() async {
        let cancelled = Collected<Int>()
        let begun = Collected<Int>()
        let gate = Gate()
        do throws(Fault) {
            _ = try await (0..<10).concurrentMap(limit: 3) { (number: Int) async throws(Fault) -> Int in
                begun.append(number)
                if number == 2 {
                    await gate.waitForTurn(2)
                    throw .number(2)
                }
                gate.pass()
                let forever = AsyncStream<Void> { _ in }
                for await _ in forever {}
                cancelled.append(number)
                return number
            }
            Issue.record("nothing was thrown")
        } catch {
            #expect(error == .number(2))
        }
        #expect(Set(cancelled.values) == [0, 1])
        #expect(begun.values.count == 3)
    }

    @Test("N1 with concurrentResults, no error stops the others")
    func collecting() async {
        let results = await (0..<4).concurrentResults(limit: 2) { (number: Int) async throws(Fault) -> Int in
            if number % 2 == 1 { throw .number(number) }
            return number
        }
        #expect(results == [.success(0), .failure(.number(1)), .success(2), .failure(.number(3))])
    }

    @Test("N1 canceling the caller cancels running and later transforms")
    func cancellation() async {
        let started = AsyncStream<Void>.makeStream()
        let task = Task {
            await (0..<4).concurrentResults(limit: 2) { (_: Int) async throws(CancellationError) -> Int in
                started.continuation.yield()
                let forever = AsyncStream<Void> { _ in }
                for await _ in forever {}
                throw CancellationError()
            }
        }
        for await _ in started.stream { break }
        task.cancel()
        let results = await task.value
        #expect(results.count == 4)
        #expect(results.allSatisfy { (try? $0.get()) == nil })
    }
}

/// Lets tasks pass one after the other in the order of their turns.
final class Gate: Sendable {
    private struct State {
        var passed = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Waits until so many have passed, then passes.
    func waitForTurn(_ turn: Int) async {
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state in
                guard state.passed < turn else { return true }
                state.waiting[turn] = continuation
                return false
            }
            if isDue { continuation.resume() }
        }
        pass()
    }

    func pass() {
        let next = state.withLock { state in
            state.passed += 1
            return state.waiting.removeValue(forKey: state.passed)
        }
        next?.resume()
    }
}
