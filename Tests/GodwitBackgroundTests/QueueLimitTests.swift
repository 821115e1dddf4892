#if os(Linux)

import Glibc
import Godwit
import GodwitBackground
import GodwitSupport
import GodwitTesting
import GodwitTransferDaemon
import Testing

@Suite("S7 B8 Limits of the queue", .timeLimit(.minutes(15)))
struct QueueLimitTests {
    private let bench = Bench()

    private func connected() async throws -> LocalSocket {
        try #require(LocalSocket.connected(to: bench.places.socket.path, lineLimit: TransferReply.lineLimit))
    }

    private func answer(_ socket: LocalSocket, _ command: TransferCommand) async throws -> TransferReply {
        #expect(socket.write(try JSONEncoder().encode(command)))
        let line = await BlockingWork.run { try? socket.line() }
        return try JSONDecoder().decode(TransferReply.self, from: try #require(line ?? nil))
    }

    private var queueSize: Int {
        ["", "-wal"].reduce(0) { size, ending in
            var status = stat()
            return stat(bench.places.queue.path + ending, &status) == 0 ? size + Int(status.st_size) : size
        }
    }

    @Test("S7 any number of opened sessions takes bounded memory of the process and bounded space")
    func sessions() async throws {
        try await bench.serving {
            _ = try await bench.session("kept").jobs()
            let first = try await connected()
            for number in 0..<100 {
                #expect(try await answer(first, .open("a\(number)", TransferSettings())).refusal == nil)
            }
            #expect(try await answer(first, .open("a100", TransferSettings())).refusal?.code == .invalid)
            #expect(try await answer(first, .open("a7", TransferSettings())).refusal == nil)
            let settings = TransferSettings(relaunch: ["/bin/true", String(repeating: "x", count: 500)])
            for round in 0..<30 {
                let socket = try await connected()
                for number in 0..<100 {
                    let reply = try await answer(socket, .open("\(round) \(number)", settings))
                    #expect(reply.refusal == nil)
                }
                socket.end()
            }
            // A thousand sessions of 600 bytes, and the log of the database.
            #expect(queueSize < 8 << 20, "\(queueSize)")
        }
    }

    @Test("S7 a full queue refuses jobs and says why, shows it on the jobs it has, and continues once there is space")
    func full() async throws {
        let turn = Turnstile()
        let server = try await MockServer { route in
            route.any("*").reply { _ in
                await turn.wait(); return .text("x")
            }
        }
        try await bench.serving {
            $0.queueLimit = 128 << 10
            $0.parallelJobs = 2
            $0.spaceDelay = .milliseconds(5)
        } _: {
            let session = bench.session()
            var request = try bench.request(server, "/a")
            request.fields["X-Padding"] = String(repeating: "p", count: 3000)
            var added: [BackgroundJob.ID] = []
            var refusal: NetworkError?
            for number in 0..<200 where refusal == nil {
                do throws(NetworkError) {
                    added.append(try await session.download(request, to: bench.path("f\(number)")))
                } catch {
                    refusal = error
                }
            }
            #expect((5..<200).contains(added.count))
            #expect(refusal.map { "\($0)".contains("the disk is full") } == true, "\(refusal as Any)")
            let jobs = try await session.jobs()
            #expect(jobs.count == added.count)
            #expect(jobs.allSatisfy { $0.obstacle?.contains("the disk is full") == true })
            turn.open()
            for _ in added {
                let event = try #require(try await session.nextEvent())
                if case .downloaded = event.outcome {} else { Issue.record("\(event)") }
                try await session.acknowledge(event)
            }
            let again = try await session.download(request, to: bench.path("again"))
            #expect(try await session.jobs().allSatisfy { $0.obstacle == nil })
            #expect(try await session.nextEvent()?.job == again)
        }
        await server.stop()
    }
}

/// Holds all who come until it is opened.
private final class Turnstile: Sendable {
    private let isOpen = Watched(false)

    func open() { isOpen.update { $0 = true } }

    func wait() async { try? await isOpen.wait { $0 } }
}
#endif
