import GodwitCore
import GodwitTesting
import GodwitUI
import Testing

@Suite("V1 a loader whose network comes back", .timeLimit(.minutes(15)))
@MainActor
struct ReconnectTests {
    private static let wifi = NetworkPath(status: .satisfied, interfaces: [.wifi])
    private static let mobile = NetworkPath(status: .satisfied, interfaces: [.cellular])

    private let attempts = Watched(0)

    private func loader(
        _ feed: PathFeed, failing kind: NetworkError.Kind, times: Int = 1
    ) -> Loader<Int> {
        Loader(retryingWith: feed) { [attempts] in
            let attempt = attempts.update { attempts in
                attempts += 1
                return attempts
            }
            if attempt <= times { throw NetworkError(kind, phase: .connecting) }
            return attempt
        }
    }

    @Test(
        "V1 what failed for lack of a network is loaded again when it is back",
        arguments: [
            NetworkError.Kind.offline(.noPath), .timedOut(.connect), .transport(.cannotResolveHost("")),
            .transport(.connectionLost("")),
        ])
    func comesBack(_ kind: NetworkError.Kind) async {
        let feed = PathFeed(.unsatisfied)
        let loader = loader(feed, failing: kind)
        await loader.load()
        #expect(loader.error?.kind == kind)
        feed.update(Self.wifi)
        await until { loader.value != nil }
        #expect(loader.value == 2)
    }

    @Test("V1 a path that was tried is not tried again until it changes")
    func noCircle() async throws {
        let feed = PathFeed(Self.wifi)
        let loader = loader(feed, failing: .transport(.connectionLost("")), times: 2)
        await loader.load()
        for _ in 0..<100 { await Task.yield() }
        #expect(attempts.value == 1)
        feed.update(Self.mobile)
        try await attempts.wait { $0 == 2 }
        await until { loader.error != nil }
        feed.update(.unsatisfied)
        for _ in 0..<100 { await Task.yield() }
        #expect(attempts.value == 2)
        feed.update(Self.mobile)
        await until { loader.value != nil }
        #expect(loader.value == 3)
    }

    @Test(
        "V1 an answer of the server is not asked for again by a change of network",
        arguments: [NetworkError.Kind.notFound, .server(status: 500), .insecure(.pinMismatch)])
    func otherErrors(_ kind: NetworkError.Kind) async {
        let feed = PathFeed(.unsatisfied)
        let loader = loader(feed, failing: kind)
        await loader.load()
        for _ in 0..<100 { await Task.yield() }
        #expect(feed.waitingCount == 0)
        feed.update(Self.wifi)
        for _ in 0..<100 { await Task.yield() }
        #expect(attempts.value == 1)
    }

    @Test("V1 cancel and reset end the wait for a network")
    func cancel() async {
        for end in [Loader<Int>.cancel, Loader<Int>.reset] {
            let feed = PathFeed(.unsatisfied)
            let loader = loader(feed, failing: .offline(.noPath), times: .max)
            await loader.load()
            let tried = attempts.value
            end(loader)()
            feed.update(Self.wifi)
            for _ in 0..<100 { await Task.yield() }
            #expect(attempts.value == tried)
        }
    }

    @Test("V1 a retry that is canceled keeps waiting for a network")
    func cancelledTry() async throws {
        let feed = PathFeed(.unsatisfied)
        let gate = Gate()
        let loader = Loader(retryingWith: feed) {
            let number = try await gate.pass()
            if number == 1 { throw NetworkError(.offline(.noPath), phase: .connecting) }
            return number
        }
        gate.open(1)
        await loader.load()
        let task = Task { await loader.refresh() }
        try await gate.waitForBeginning(of: 2)
        task.cancel()
        await task.value
        #expect(loader.error?.kind == .offline(.noPath))
        gate.open(3)
        feed.update(Self.wifi)
        await until { loader.value == 3 }
    }

    @Test("V1 without a monitor nothing is tried again")
    func noMonitor() async {
        let loader = Loader<Int> { [attempts] in
            attempts.update { $0 += 1 }
            throw NetworkError(.offline(.noPath), phase: .connecting)
        }
        await loader.load()
        for _ in 0..<100 { await Task.yield() }
        #expect(attempts.value == 1)
    }
}
