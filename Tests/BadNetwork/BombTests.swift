import Glibc
import Godwit
import GodwitSockets
import GodwitTesting
import PeerSupport
import Synchronization
import TestSupport
import Testing

extension BadNetwork {
    /// Responses of a few kilobytes that expand to gigabytes.
    @Suite("Decompression bombs", .serialized, .timeLimit(.minutes(15)))
    struct Bombs {
        /// What a transport decodes.
        final class Progress: Sendable {
            private let state = Mutex(Int64(0))

            var decoded: Int64 { state.withLock { $0 } }

            func note(_ event: TransferEvent) {
                if case .received(let bytes, _) = event { state.withLock { $0 = bytes } }
            }

            /// Waits until nothing has been decoded for a moment; how much was until then.
            func settled() async throws -> Int64 {
                var last: Int64 = -1
                while decoded != last || last == 0 {
                    last = decoded
                    try await Task.sleep(for: .milliseconds(50))
                }
                return last
            }
        }

        private static func server() async throws -> MockServer {
            try await MockServer { routes in
                routes.get("/ok").reply(.text("ok"))
                routes.get("/small").reply(.bytes(Bomb.brotli(times8MiB: 8).body).field(.contentEncoding, "br"))
                for (index, bomb) in Bomb.all.enumerated() {
                    routes.get("/\(index)").reply(.bytes(bomb.body).field(.contentEncoding, bomb.coding))
                }
            }
        }

        static func makeTransport() throws -> SocketTransport {
            try SocketTransport {
                $0.proxy = .none
                $0.measuresTurns = true
            }
        }

        /// In processor time; a busy machine and a debug build sometimes lengthen that too.
        private static func expectShortTurns(_ transport: SocketTransport) {
            #expect(transport.longestTurn < .milliseconds(30))
            withKnownIssue("a busy machine lengthens a turn now and then", isIntermittent: true) {
                #expect(transport.longestTurn < .milliseconds(10))
            }
        }

        /// Resident bytes without those of files: code that runs for the first time is read in, and isn't the decoder's.
        static func ownMemory() throws -> Int {
            let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ").compactMap
            { Int($0) }
            return (pages[1] - pages[2]) * Int(getpagesize())
        }

        /// In a process of its own, whose memory is that of the client.
        @Test("S5 a stream decodes what its reader takes, in bounded memory", arguments: Bomb.all.indices)
        func stream(_ index: Int) async throws {
            let server = try await Self.server()
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                [port = server.url.port as Int, index = index as Int] in
                let origin = "http://127.0.0.1:\(port)/"
                let transport = try Bombs.makeTransport()
                _ = try await bytes(of: transport.get(HTTPURL(origin + "ok")))
                let before = try Bombs.ownMemory()
                let progress = Progress()
                var body = try await transport.get(HTTPURL("\(origin)\(index)"), .streamed) {
                    $0.options.onEvent = { progress.note($0) }
                }.body.makeAsyncIterator()
                _ = try await body.next()
                let decoded = try await progress.settled()
                let growth = try Bombs.ownMemory() - before
                print("bomb \(index): \(growth >> 10) KiB, \(decoded >> 10) KiB decoded, turn \(transport.longestTurn)")
                // What waits for the reader, what it was given, and the same once more on its way.
                #expect(decoded <= 4 * 512 << 10)
                // Besides, a brotli decoder fills its window at once.
                let window = [4 << 20, 16 << 20, 0, 0, 0]
                #expect(growth < 3 << 20 + 2 * 512 << 10 + window[index])
            }
            print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
        }

        @Test(
            "S5 no other call waits for a bomb, and nothing is decoded for a reader that left",
            arguments: Bomb.all.indices)
        func cancelled(_ index: Int) async throws {
            let server = try await Self.server()
            let transport = try Self.makeTransport()
            let progress = Progress()
            let url = try server.at("/\(index)")
            let reading = Task {
                let response = try await transport.get(url, .streamed) { $0.options.onEvent = { progress.note($0) } }
                var count: Int64 = 0
                for try await chunk in response.body { count += Int64(chunk.count) }
                return count
            }
            while progress.decoded < 64 << 20 { try await Task.sleep(for: .milliseconds(1)) }
            #expect(try await transport.stillWorks(with: server))
            reading.cancel()
            await #expect(throws: (any Error).self) { try await reading.value }
            #expect(try await transport.stillWorks(with: server))
            let decoded = progress.decoded
            #expect(try await progress.settled() == decoded)
            #expect(decoded < Bomb.size)
            Self.expectShortTurns(transport)
            await transport.shutdown(.cancelling)
        }

        @Test("S5 a buffered bomb and one in a file end at their limits", arguments: Bomb.all.indices)
        func limits(_ index: Int) async throws {
            let server = try await Self.server()
            let transport = try Self.makeTransport()
            let folder = TemporaryFolder()
            let url = try server.at("/\(index)")
            async let buffered = transport.failure(of: .get(url))
            async let filed = transport.failure(
                of: .get(url, .file(folder.url.appending(path: "a"))) { $0.options.responseLimit.decoded = 100 << 20 })
            for _ in 0..<20 { #expect(try await transport.stillWorks(with: server)) }
            #expect(await buffered?.kind == .tooLarge(limit: 64 << 20))
            #expect(await filed?.kind == .tooLarge(limit: 100 << 20))
            Self.expectShortTurns(transport)
            await transport.shutdown(.finishing)
        }

        @Test("S5 a compressed download ends at 1 GiB, and at a limit of its own")
        func download() async throws {
            let server = try await MockServer { routes in
                routes.get("/").reply(.bytes(Bomb.nested.body).field(.contentEncoding, Bomb.nested.coding))
            }
            let folder = TemporaryFolder()
            let api = try APIClient(baseURL: server.url, transport: Self.makeTransport())
            for limit in [Int64(100) << 20, nil] {
                var endpoint = Endpoint<Void>.get("")
                if let limit { endpoint = endpoint.responseLimit(limit) }
                let error = await #expect(throws: NetworkError.self) {
                    _ = try await api.download(endpoint, to: folder.url.appending(path: "a")) { $0.leftover = .discard }
                        .file
                }
                #expect(error?.kind == .tooLarge(limit: limit ?? 1 << 30))
            }
        }

        @Test("S5 a body that is decoded long after its transfer ended arrives whole", arguments: [0, 3])
        func late(_ pause: Int) async throws {
            let server = try await Self.server()
            let transport = try Self.makeTransport()
            let url = try server.at("/small")
            var count = 0
            let stream = try await transport.get(url, .streamed) { $0.options.timeouts.inactivity = .milliseconds(100) }
            for try await chunk in stream.body {
                count += chunk.count
                if pause > 0 { try await Task.sleep(for: .milliseconds(pause)) }
            }
            #expect(count == 64 << 20)
            let response = try await transport.get(url)
            #expect(try await bytes(of: response).count == 64 << 20)
            #expect(response.metrics.bytesReceived < 1000)
            // The connection was free all the time.
            #expect(server.connectionCount == 1)
        }

        @Test(
            "S5 what is wrong at the end of a bomb is reported after its content", arguments: ["cut", "excess", "lost"])
        func faults(_ fault: String) async throws {
            let body = Bomb.brotli(times8MiB: 8).body
            let server = try await MockServer { routes in
                routes.get("/ok").reply(.text("ok"))
                routes.get("/cut").reply(.bytes(body.dropLast()).field(.contentEncoding, "br"))
                routes.get("/excess").reply(.bytes(body + [0]).field(.contentEncoding, "br"))
                routes.get("/lost").reply(
                    .bytes(body + [0]).field(.contentEncoding, "br").dropped(after: .bytes(body.count)))
            }
            let transport = try Self.makeTransport()
            let url = try server.at("/\(fault)")
            var count = 0
            do throws(NetworkError) {
                for try await chunk in try await transport.get(url, .streamed).body {
                    count += chunk.count
                }
                Issue.record("the body ended as if it were complete")
            } catch {
                #expect(
                    error.shortDescription == (fault == "excess" ? "invalid_response" : "transport.connection_lost"))
                #expect(error.phase == .receiving)
            }
            #expect(count >= 56 << 20)
            #expect(try await transport.stillWorks(with: server))
        }

        @Test("S5 a shutdown doesn't wait for bombs", arguments: Bomb.all.indices)
        func shutdown(_ index: Int) async throws {
            let server = try await Self.server()
            let transport = try Self.makeTransport()
            let progress = Progress()
            let url = try server.at("/\(index)")
            let call = Task {
                await transport.failure(of: .get(url, .streamed) { $0.options.onEvent = { progress.note($0) } })
            }
            while progress.decoded < 8 << 20 { try await Task.sleep(for: .milliseconds(1)) }
            await transport.shutdown(.cancelling)
            #expect(await call.value?.kind == .cancelled)
            #expect(progress.decoded < Bomb.size)
        }
    }
}
