import Godwit
import GodwitTesting
import PeerSupport
import Synchronization
import TestSupport
import Testing

/// Calls that are canceled while the server can't send more of their bodies, because the readers pause.
@Suite("Contract: canceled bodies that were held back", .serialized, .timeLimit(.minutes(Soak.isAsked ? 60 : 5)))
struct CanceledBodyTests {
    enum Server: String, CaseIterable, Sendable {
        case http1, http2, nginx

        static var available: [Server] { allCases.filter { $0 != .nginx || Nginx.isRunning } }
    }

    @Test(
        "T2 R2 after a body that was held back is canceled, the next GET succeeds, and no call waits for another's cancellation",
        arguments: Server.available, [false, true])
    func canceled(_ server: Server, besideBusyLoops isBusy: Bool) async throws {
        let peer = try await Peer(server)
        let run = CanceledBodies(peer)
        let batches = Soak.isAsked ? 50 : 2
        let loops = isBusy ? BusyLoops(4) : nil
        for batch in 0..<batches { try await run.batch(batch) }
        loops?.stop()
        let tally = run.tally
        #expect(tally.left + tally.canceled + tally.dropped == batches * CanceledBodies.rounds)
        #expect(tally.answered == batches * CanceledBodies.rounds)
        #expect(tally.held == batches * CanceledBodies.neighbors)
        if Soak.isAsked { print("canceled bodies \(server)\(isBusy ? ", busy" : ""): \(tally), \(peer.connections)") }
        await peer.transport.shutdown(.finishing)
    }

    /// A server with a large body and a small one, and a transport that trusts it.
    struct Peer: Sendable {
        let transport: any HTTPTransport
        let large: HTTPURL
        let small: HTTPURL
        let largeSize: Int
        let smallSize: Int
        private let mock: MockServer?

        init(_ server: Server) async throws {
            if server == .nginx {
                transport = try Subject.sockets.makeTrusting { $0.streamBuffer = 32 << 10 }
                (large, small) = (try Nginx.h2.at("/1m.bin"), try Nginx.h2.at("/1k.json"))
                (largeSize, smallSize, mock) = (1 << 20, 1024, nil)
                return
            }
            var options = MockServer.Options()
            if server == .http2 { options.protocols = .http2 }
            // What the system buffers of a body is less than its size.
            options.sendBuffer = 64 << 10
            let size = 16 << 20
            let mock = try await MockServer(options) {
                $0.get("/large").reply(.bytes(Data(count: size)))
                $0.get("/small").reply(.bytes(Data(count: 1024)))
            }
            transport = try Subject.sockets.make {
                $0.streamBuffer = 32 << 10
                if server == .http2 { $0.versions = .http2PriorKnowledge }
            }
            (large, small) = (try mock.at("/large"), try mock.at("/small"))
            (largeSize, smallSize, self.mock) = (size, 1024, mock)
        }

        /// How many connections the server accepted, if it says so.
        var connections: String { mock.map { "\($0.connectionCount) connections" } ?? "connections unknown" }
    }
}

/// Rounds of a canceled call and a GET, four at a time, while the bodies of other calls are held back.
private final class CanceledBodies: Sendable {
    struct Tally: Sendable {
        /// Calls that were canceled at any moment, canceled while they read, and whose body was released.
        var left = 0
        var canceled = 0
        var dropped = 0
        /// GETs that succeeded.
        var answered = 0
        /// Neighbors that were held back during all rounds of a batch, and then got their whole body.
        var held = 0
    }

    /// Of a batch.
    static let rounds = 100
    static let neighbors = 3
    private static let workers = 4

    private let peer: CanceledBodyTests.Peer
    private let counts = Mutex(Tally())

    init(_ peer: CanceledBodyTests.Peer) { self.peer = peer }

    var tally: Tally { counts.withLock { $0 } }

    func batch(_ number: Int) async throws {
        let rounds = Watched(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.neighbors { group.addTask { try await self.beHeld(untilRounds: rounds) } }
            for worker in 0..<Self.workers {
                group.addTask {
                    var random = SplitMix(seed: number * Self.workers + worker)
                    for _ in 0..<(Self.rounds / Self.workers) {
                        try await self.cancel(&random)
                        try await self.get()
                        rounds.update { $0 += 1 }
                    }
                }
            }
            // The first failure cancels the others, which may wait for it.
            while try await group.next() != nil {}
        }
    }

    /// Reads a piece of a body, and the rest only when all rounds are over: none of them may wait for that.
    private func beHeld(untilRounds rounds: Watched<Int>) async throws {
        var body = try await peer.transport.get(peer.large, .streamed).body.makeAsyncIterator()
        var size = try await body.next()?.count ?? 0
        try await rounds.wait { $0 == Self.rounds }
        while let chunk = try await body.next() { size += chunk.count }
        try #require(size == peer.largeSize)
        counts.withLock { $0.held += 1 }
    }

    private func get() async throws {
        let size = try await bytes(of: peer.transport.get(peer.small)).count
        try #require(size == peer.smallSize)
        counts.withLock { $0.answered += 1 }
    }

    private enum Leaving: CaseIterable {
        case anyMoment, reading, dropping
    }

    /// Starts a call that reads some pieces and pauses, and cancels it or releases its body.
    private func cancel(_ random: inout SplitMix) async throws {
        let leaving = random.pick(Leaving.allCases)
        let (pieces, yields) = (random.below(4), random.below(40))
        let isPaused = Watched(false)
        let call = Task { [peer] in
            var body = try await peer.transport.get(peer.large, .streamed).body.makeAsyncIterator()
            for _ in 0..<pieces { _ = try await body.next() }
            isPaused.update { $0 = true }
            if leaving == .dropping { return }
            try? await Watched(false).wait { $0 }
            // A canceled reader gets an error, after the chunks that it had taken.
            while try await body.next() != nil {}
        }
        if leaving != .anyMoment { try await isPaused.wait { $0 } }
        for _ in 0..<yields { await Task.yield() }
        if leaving != .dropping { call.cancel() }
        let result = await call.result
        if leaving == .dropping {
            try result.get()
            return counts.withLock { $0.dropped += 1 }
        }
        let error = try #require(throws: NetworkError.self) { try result.get() }
        try #require(error.kind == .cancelled)
        counts.withLock { if leaving == .reading { $0.canceled += 1 } else { $0.left += 1 } }
    }
}

/// Tasks that compute, and leave little of the processors to others, until they are stopped.
private final class BusyLoops: Sendable {
    private let tasks: [Task<Void, Never>]

    init(_ count: Int) {
        tasks = (0..<count).map { number in
            Task.detached {
                var random = SplitMix(seed: number)
                // Bounded, in case a test fails before it stops them.
                for _ in 0..<1_000_000 where !Task.isCancelled {
                    for _ in 0..<200 { _ = random.next() }
                    await Task.yield()
                }
            }
        }
    }

    deinit { stop() }

    func stop() { for task in tasks { task.cancel() } }
}
