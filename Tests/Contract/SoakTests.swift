import Godwit
import PeerSupport
import Synchronization
import Testing

/// Long runs for leaks; `script/test --soak` asks for them.
@Suite("Contract: long runs", .enabled(if: Soak.isAsked && Nginx.isRunning, "script/test --soak"), .serialized)
struct SoakTests {
    @Test("T2 T9 of 100,000 requests, 10,000 cancelled at any moment, nothing is left", arguments: [Nginx.http, .h2])
    func cancelled(_ server: Nginx) async throws {
        // In a process of its own, as memory and descriptors are counted.
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) { [name = server.rawValue as String] in
            let server = try #require(Nginx(rawValue: name))
            _ = SystemPathMonitor.shared
            // A first transport, so that what the runtime opens once is not counted.
            let first = try Subject.sockets.makeTrusting()
            try await Soak(first, try server.at("/1k.json")).run(requests: 100, cancelling: 50)
            await first.shutdown(.finishing)
            let start = try await Usage.settled(to: Usage(memory: 0, descriptors: 0, threads: 0))
            let transport = try Subject.sockets.makeTrusting()
            let soak = Soak(transport, try server.at("/1k.json"))
            try await soak.run(requests: 10_000, cancelling: 1_000)
            let before = Usage.now()
            try await soak.run(requests: 100_000, cancelling: 10_000)
            let after = try await Usage.settled(to: before)
            print("soak \(name): \(soak.tally) \(before) -> \(after)")
            #expect(after.memory - before.memory < 6 << 20)
            // Connections are kept; how many depends on how many met at once.
            #expect(after.descriptors <= before.descriptors + 64)
            #expect(after.threads <= before.threads)
            await transport.shutdown(.finishing)
            // The transport itself still holds two, until it is let go of.
            #expect(try await Usage.settled(to: start).descriptors <= start.descriptors + 2)
        }
        print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }
}

/// Requests in all deliveries, some of them cancelled at a random moment.
final class Soak: Sendable {
    static var isAsked: Bool { ProcessInfo.processInfo.environment["GODWIT_TEST_SOAK"] != nil }

    struct Tally: Sendable {
        var answered = 0
        var cancelled = 0
    }

    private let transport: any HTTPTransport
    private let url: HTTPURL
    private let counts = Mutex(Tally())

    init(_ transport: any HTTPTransport, _ url: HTTPURL) {
        self.transport = transport
        self.url = url
    }

    var tally: Tally { counts.withLock { $0 } }

    /// Sends so many requests, 64 at a time; each either comes back whole or says that it was cancelled.
    func run(requests: Int, cancelling: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<64 {
                let share = requests / 64 + (worker < requests % 64 ? 1 : 0)
                group.addTask {
                    for number in 0..<share {
                        let isCancelled = Int.random(in: 0..<requests) < cancelling
                        try await self.exchange(number, isCancelled: isCancelled)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func exchange(_ number: Int, isCancelled: Bool) async throws {
        let task = Task { try await self.read(number) }
        if isCancelled {
            // From before the start to after the end of an exchange, which takes about a millisecond here.
            for _ in 0..<Int.random(in: 0..<40) { await Task.yield() }
            task.cancel()
        }
        do {
            let count = try await task.value
            guard count == 1024 || number % 5 == 1 else { throw Unexpected(count: count) }
            counts.withLock { $0.answered += 1 }
        } catch let error as NetworkError where isCancelled && error.kind == .cancelled {
            counts.withLock { $0.cancelled += 1 }
        }
    }

    /// The body's bytes: buffered, streamed, or streamed and left at the first chunk.
    private func read(_ number: Int) async throws -> Int {
        let delivery = number % 5 < 2 ? Delivery.streamed : .buffered
        let response = try await transport.send(HTTPRequest(url: url, delivery: delivery))
        var count = 0
        for try await chunk in response.body {
            count += chunk.count
            if number % 5 == 1 { break }
        }
        return count
    }

    struct Unexpected: Error {
        let count: Int
    }
}
