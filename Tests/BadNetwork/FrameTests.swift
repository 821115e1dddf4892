import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

extension BadNetwork {
    /// Servers of HTTP/2 that break its rules, frame by frame (RFC 9113 sections 5.4, 6 and 8.1).
    @Suite("HTTP/2, frame by frame", .serialized)
    struct FrameTests {
        /// What follows HEADERS(200) and DATA "part".
        struct Violation: CustomTestStringConvertible, Sendable {
            let testDescription: String
            let frames: @Sendable (Frames) -> Frames

            init(_ name: String, _ frames: @escaping @Sendable (Frames) -> Frames) {
                (testDescription, self.frames) = (name, frames)
            }
        }

        static let violations: [Violation] = [
            Violation("DATA above SETTINGS_MAX_FRAME_SIZE") {
                $0.adding(.data, [UInt8](repeating: 0x61, count: 16385))
            },
            Violation("a frame of length 0xFFFFFF") { $0.adding(.data, [0x61], length: 0xFFFFFF) },
            Violation("DATA on stream 0") { $0.adding(.data, stream: 0, [0x61]) },
            Violation("DATA on a stream that was never opened") { $0.adding(.data, stream: 7, [0x61]) },
            Violation("DATA whose padding exceeds it") { $0.adding(.data, flags: 8, [200, 0x61]) },
            Violation("HEADERS on stream 0") { $0.adding(.headers, flags: 4, stream: 0, [0x88]) },
            Violation("HEADERS with a bad HPACK index") { $0.adding(.headers, flags: 5, [0xFF, 0xFF, 0xFF, 0x7F]) },
            Violation("HEADERS whose padding exceeds it") { $0.adding(.headers, flags: 13, [200, 0x88]) },
            Violation("HEADERS cut by another frame") {
                $0.adding(.headers, [0x88]).adding(.ping, stream: 0, [UInt8](repeating: 0, count: 8))
            },
            Violation("CONTINUATION without HEADERS") { $0.adding(.continuation, flags: 4, [0x88]) },
            Violation("WINDOW_UPDATE of 0 on the connection") { $0.adding(.windowUpdate, stream: 0, [0, 0, 0, 0]) },
            Violation("WINDOW_UPDATE of 0 on the stream") { $0.adding(.windowUpdate, [0, 0, 0, 0]) },
            Violation("WINDOW_UPDATE of 3 bytes") { $0.adding(.windowUpdate, stream: 0, [0, 0, 1]) },
            Violation("WINDOW_UPDATE beyond 2^31-1") { $0.adding(.windowUpdate, stream: 0, [0x7F, 0xFF, 0xFF, 0xFF]) },
            Violation("SETTINGS of 5 bytes") { $0.adding(.settings, stream: 0, [0, 3, 0, 0, 1]) },
            Violation("SETTINGS on a stream") { $0.adding(.settings, [0, 3, 0, 0, 0, 1]) },
            Violation("SETTINGS with an impossible window") {
                $0.adding(.settings, stream: 0, [0, 4, 0xFF, 0xFF, 0xFF, 0xFF])
            },
            Violation("SETTINGS with an impossible frame size") {
                $0.adding(.settings, stream: 0, [0, 5, 0, 0, 0, 1])
            },
            Violation("PING of 7 bytes") { $0.adding(.ping, stream: 0, [UInt8](repeating: 0, count: 7)) },
            Violation("PING on a stream") { $0.adding(.ping, [UInt8](repeating: 0, count: 8)) },
            Violation("PUSH_PROMISE") { $0.adding(.push, flags: 4, [0, 0, 0, 2, 0x82, 0x84, 0x87]) },
            Violation("RST_STREAM of 3 bytes") { $0.adding(.reset, [0, 0, 0]) },
            Violation("RST_STREAM on stream 0") { $0.adding(.reset, stream: 0, [0, 0, 0, 0]) },
            Violation("RST_STREAM (NO_ERROR)") { $0.adding(.reset, [0, 0, 0, 0]) },
            Violation("RST_STREAM (CANCEL)") { $0.adding(.reset, [0, 0, 0, 8]) },
            Violation("GOAWAY on a stream") { $0.adding(.goAway, [0, 0, 0, 1, 0, 0, 0, 0]) },
            Violation("GOAWAY of 7 bytes") { $0.adding(.goAway, stream: 0, [0, 0, 0, 1, 0, 0, 0]) },
            Violation("GOAWAY (INTERNAL_ERROR) below the stream") {
                $0.adding(.goAway, stream: 0, [0, 0, 0, 0, 0, 0, 0, 2])
            },
            Violation("trailers without END_STREAM") { $0.adding(.headers, flags: 4, [0x00, 1, 0x61, 1, 0x62]) },
            Violation("trailers with a pseudo-field") { $0.adding(.headers, flags: 5, [0x88]) },
            Violation("a field name in upper case in trailers") {
                $0.adding(.headers, flags: 5, [0x00, 1, 0x41, 1, 0x62])
            },
            Violation("a second head") { $0.adding(.headers, flags: 4, [0x88]) },
        ]

        /// The ways to read a response; each has to end in an error.
        private func outcomes(of url: HTTPURL) async throws -> [String: NetworkError?] {
            let folder = TemporaryFolder()
            let ways: [String: Delivery] = [
                "get": .buffered, "stream": .streamed, "download": .file(folder.url.appending(path: "file")),
            ]
            var outcomes: [String: NetworkError?] = [:]
            // Each on a connection of its own, as the peer answers one request.
            for (way, delivery) in ways {
                outcomes[way] = await (try makeTransport()).failure(of: .get(url, delivery))
            }
            return outcomes
        }

        private func makeTransport() throws -> any HTTPTransport {
            try Subject.sockets.make { $0.versions = .http2PriorKnowledge }
        }

        @Test("T22 a violation within a body is an error, however the body is read", arguments: violations)
        func body(_ violation: Violation) async throws {
            for length in [nil, "1000"] {
                let listener = try framePeer(violation.frames(.answer(length: length)))
                for (way, error) in try await outcomes(of: listener.url) {
                    #expect(error != nil, "\(way), length \(length ?? "unknown")")
                    #expect(error?.kind != .timedOut(.inactivity))
                }
            }
        }

        @Test("T22 a violation before or within a head is an error", arguments: violations)
        func head(_ violation: Violation) async throws {
            let listener = try framePeer(violation.frames(.start))
            let transport = try makeTransport()
            let error = await transport.failure(
                of: .get(listener.url) { $0.options.timeouts.total = .seconds(5) })
            // A second head is the first one here, and so are trailers that lack nothing else: both leave a response open.
            let leavesOpen = ["a second head", "trailers without END_STREAM"].contains(violation.testDescription)
            // What a head of `:status` alone with END_STREAM ends is a response.
            let isResponse = violation.testDescription == "trailers with a pseudo-field"
            #expect((error == nil) == isResponse)
            #expect(leavesOpen || error?.kind != .timedOut(.total))
        }

        @Test("T22 events end in an error too, after those that came")
        func events() async throws {
            let head: [UInt8] = [0x88, 0x0F, 0x10, 17] + Array("text/event-stream".utf8)
            let frames = Frames.start.adding(.headers, flags: 4, head).adding(.data, Array("data: one\n\n".utf8))
                .adding(.data, stream: 0, [0x61])
            let listener = try framePeer(frames)
            let api = APIClient(baseURL: listener.url, transport: try makeTransport())
            var seen: [String] = []
            await #expect(throws: NetworkError.self) {
                for try await event in api.events(Endpoint<Void>.get("live"), configure: { $0.reconnection = .never }) {
                    seen.append(event.data)
                }
            }
            #expect(seen == ["one"])
        }

        @Test("T22 a body that ends with END_STREAM is whole, one that ends with the connection isn't")
        func ends() async throws {
            let whole = try framePeer(Frames.answer().adding(.data, flags: 1, []))
            #expect(try await text(of: makeTransport().get(whole.url)) == "part")
            let longer = try framePeer(Frames.answer(length: "9").adding(.data, flags: 1, [0x61]))
            #expect(await (try makeTransport()).failure(of: .get(longer.url)) != nil)
            let cut = try framePeer(Frames.answer(), keepsOpen: false)
            let error = await (try makeTransport()).failure(of: .get(cut.url))
            #expect(error?.shortDescription == "transport.connection_lost")
        }

        /// What a peer repeats without end.
        static let floods: [Violation] = [
            Violation("PING") { $0.adding(.ping, stream: 0, [UInt8](repeating: 0, count: 8)) },
            Violation("SETTINGS") { $0.adding(.settings, stream: 0) },
            Violation("empty DATA") { $0.adding(.data) },
            Violation("DATA of padding alone") { $0.adding(.data, flags: 8, [3, 0, 0, 0]) },
            Violation("WINDOW_UPDATE") { $0.adding(.windowUpdate, stream: 0, [0, 0, 0, 1]) },
            Violation("PRIORITY") { $0.adding(.priority, [0, 0, 0, 0, 16]) },
            Violation("interim heads") { $0.adding(.headers, flags: 4, [0x08, 3, 0x31, 0x30, 0x33]) },
        ]

        @Test("T22 a flood of frames that bring nothing ends its connection, in little memory", arguments: floods)
        func flood(_ flood: Violation) async throws {
            let burst = (0..<2000).reduce(Frames()) { frames, _ in flood.frames(frames) }.bytes
            let listener = try Listener()
            listener.serve { connection in
                guard connection.readRequest() else { return }
                connection.write(Frames.start.bytes)
                // The answers are not read: what the client keeps of them grows.
                for _ in 0..<200 where !connection.write(burst) { return }
                connection.write(Frames().adding(.headers, flags: 5, [0x88]).bytes)
                connection.drain()
            }
            let transport = try makeTransport()
            let before = Usage.now().memory
            let error = await transport.failure(of: .get(listener.url) { $0.options.timeouts.total = .seconds(20) })
            #expect(["transport.protocol_violation", "invalid_response"].contains(error?.shortDescription))
            #expect(Usage.now().memory - before < 32 << 20)
            let server = try await MockServer { $0.get("/ok").reply(.text("ok")) }
            #expect(try await Subject.sockets.make().stillWorks(with: server))
        }
    }
}
