#if os(Linux)

import Glibc
import Godwit
import GodwitBackground
import GodwitSupport
import GodwitTesting
import GodwitTransferDaemon
import Synchronization
import TestSupport
import Testing

@Suite("BackgroundSession: a newer process takes over", .timeLimit(.minutes(15)))
struct ServiceHandoverTests {
    private let content = Content(300_000)
    private let bench = Bench()

    @Test("B8 a newer process takes over from an older one, and continues its jobs")
    func handOver() async throws {
        let turn = Turn()
        let server = try await MockServer { [content] route in
            route.get("/a").reply { turn.next() == 0 ? content.beginning(200_000) : content.answer($0) }
        }
        try await bench.serving {
            $0.release = TransferRelease.current
        } _: {
            let session = bench.session()
            try await session.download(bench.request(server, "/a"), to: bench.path("a"))
            await eventually { bench.size(".a.godwit-part") == 200_000 }
            #expect(bench.daemon == getpid())
            // A process of the same release leaves it alone.
            let same = try Spawned([Bench.program.path, "--directory", bench.queue.path])
            #expect(await same.end() == 0)
            #expect(bench.daemon == getpid())
        }
        // The older one, which is this process, with the job that is there.
        try await bench.serving {
            $0.release = TransferRelease.current - 1
        } _: {
            let session = bench.session()
            let event = try #require(try await session.nextEvent())
            #expect(event.outcome == .downloaded(bench.path("a")))
            #expect(bench.data("a") == content.data)
            let daemon = try #require(bench.daemon)
            #expect(daemon != getpid())
            #expect(
                LockRecord.holder(of: bench.places.lock)
                    == LockRecord(process: daemon, release: TransferRelease.current))
        }
    }

    @Test("B8 an older process first finishes uploads that must not be sent twice")
    func drains() async throws {
        let gate = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let server = try await MockServer { route in
            route.post("/a").reply { _ in
                await withCheckedContinuation { waiter in gate.withLock { $0 = waiter } }
                return .text("thanks")
            }
            route.any("*").reply(.text("x"))
        }
        let file = try bench.write("what is sent", to: "b")
        try await bench.serving {
            $0.release = TransferRelease.current - 1
        } _: {
            // Of the older one's own age: it starts nothing in its place.
            let socket = try #require(LocalSocket.connected(to: bench.places.socket.path, lineLimit: 1 << 20))
            var post = try bench.request(server, "/a")
            post.method = .post
            let (upload, configuration) = (post, BackgroundConfiguration())
            func say(_ command: TransferCommand) async throws -> TransferReply {
                let line = try JSONEncoder().encode(command)
                #expect(socket.write(line))
                let answer = await BlockingWork.run { try? socket.line() }
                return try JSONDecoder().decode(TransferReply.self, from: try #require(answer))
            }
            #expect(try await say(.open("test", TransferSettings())).release == TransferRelease.current - 1)
            let spec = try TransferSpec(upload: upload, fromFile: file, BackgroundJobOptions(), configuration)
            #expect(try await say(.add("test", spec)).refusal == nil)
            await eventually { gate.withLock { $0 != nil } }
            #expect(try await say(.handOver("new", release: TransferRelease.current)).isEnding == false)
            // Nothing else begins that must not be sent twice, and the process still answers.
            let another = try TransferSpec(upload: upload, fromFile: file, BackgroundJobOptions(), configuration)
            #expect(try await say(.add("test", another)).refusal == nil)
            #expect(try await say(.list("test", after: 0)).jobs?.map(\.state) == [.running, .queued])
            gate.withLock(\.self)?.resume()
            gate.withLock { $0 = nil }
            // It ends by itself, and the next one sends the rest.
            await eventually { LockRecord.holder(of: bench.places.lock) == nil }
            let session = bench.session()
            await eventually {
                _ = try? await session.jobs()
                return gate.withLock { $0 != nil }
            }
            gate.withLock(\.self)?.resume()
            var outcomes: [BackgroundEvent.Outcome] = []
            for try await event in session.events {
                outcomes.append(event.outcome)
                if outcomes.count == 2 { break }
            }
            #expect(outcomes == Array(repeating: .uploaded(status: 200, answer: Data("thanks".utf8)), count: 2))
            #expect(server.requestCount == 2)
        }
    }

    @Test("B8 a reply without a release has release 1")
    func firstRelease() throws {
        let old = Data(#"{"version":1}"#.utf8)
        #expect(try JSONDecoder().decode(TransferReply.self, from: old).release == nil)
        let command = TransferCommand.handOver("x", release: 7)
        #expect(command.version == 3)
        #expect(try JSONDecoder().decode(TransferCommand.self, from: JSONEncoder().encode(command)) == command)
    }

    @Test("B8 an unreachable process that holds the lock is terminated, and its jobs are continued")
    func unreachable() async throws {
        let session = bench.session()
        #expect(try await session.jobs().isEmpty)
        let first = try #require(bench.daemon)
        session.leave()
        unlink(bench.places.socket.path)
        #expect(try await session.jobs().isEmpty)
        let second = try #require(bench.daemon)
        #expect(second != first)
        #expect(LockRecord.holder(of: bench.places.lock)?.process == second)
    }
}
#endif
