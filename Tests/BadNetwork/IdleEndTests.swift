import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

extension BadNetwork {
    /// What a server sends, or ends, while no request is on its connection.
    @Suite("What arrives on an idle connection", .serialized)
    struct IdleEnds {
        /// What the server does with the idle connection, after a number of answers.
        struct Ending: CustomTestStringConvertible, Sendable {
            let testDescription: String
            let act: @Sendable (Listener.Connection) -> Void

            init(_ name: String, _ frames: Frames = Frames(), isEnd: Bool = false) {
                self.init(name, frames.bytes, isEnd: isEnd)
            }

            init(_ name: String, _ bytes: [UInt8], isEnd: Bool = false) {
                testDescription = name
                act = { connection in
                    connection.write(bytes)
                    if isEnd { connection.end() }
                    connection.waitUntilAcknowledged()
                }
            }
        }

        private static let goAway = Frames().adding(.goAway, stream: 0, [0, 0, 0, 41, 0, 0, 0, 0])
        private static let ping = Frames().adding(.ping, stream: 0, [UInt8](repeating: 0, count: 8))
        private static let noStreams = Frames().adding(.settings, stream: 0, [0, 3, 0, 0, 0, 0])

        static let endings = [
            Ending("its end", isEnd: true),
            Ending("GOAWAY", goAway),
            Ending("GOAWAY and its end", goAway, isEnd: true),
            Ending("PING and its end", ping, isEnd: true),
            Ending("SETTINGS that allow no request", noStreams),
            Ending("a violation", Frames().adding(.windowUpdate, stream: 0, [0, 0, 0, 0])),
        ]

        /// After 20 calls, one at a time, the connection is left to callers: the loop isn't woken by what arrives.
        @Test(
            "T11 M4 what a server says on an idle connection of HTTP/2 is read before a POST goes out: none is lost or counted",
            arguments: endings, [1, 20])
        func http2(_ ending: Ending, calls: Int) async throws {
            let idle = Watched<Listener.Connection?>(nil)
            let listener = try Listener()
            listener.serve { connection in
                guard connection.readRequest() else { return }
                connection.sendWithoutDelay()
                connection.write(Frames.start.bytes)
                var stream: UInt32 = 1
                repeat {
                    connection.write(
                        Frames().adding(.headers, flags: Frames.endStream | Frames.endHeaders, stream: stream, [0x89])
                            .bytes)
                    idle.update { $0 = connection }
                    stream += 2
                } while connection.readHeaders()
            }
            try await checkPost(after: calls, ending, listener, idle, .http2PriorKnowledge)
        }

        @Test(
            "T11 M4 a POST doesn't go out on an idle connection of HTTP/1.1 that has ended or has stray bytes, and isn't counted",
            arguments: [
                Ending("its end", isEnd: true),
                Ending("408", Array("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n".utf8)),
            ], [1, 20])
        func http1(_ ending: Ending, calls: Int) async throws {
            let idle = Watched<Listener.Connection?>(nil)
            let listener = try Listener()
            listener.serve { connection in
                while connection.readHead() != nil {
                    connection.write("HTTP/1.1 204 No Content\r\n\r\n")
                    idle.update { $0 = connection }
                }
            }
            try await checkPost(after: calls, ending, listener, idle, .http1)
        }

        private func checkPost(
            after calls: Int, _ ending: Ending, _ listener: Listener, _ idle: Watched<Listener.Connection?>,
            _ versions: Setup.Versions
        ) async throws {
            let transport = try Subject.sockets.make { $0.versions = versions }
            for _ in 0..<calls { _ = try await transport.get(listener.url) }
            try await idle.wait { $0 != nil }
            ending.act(try #require(idle.value))
            let response = try await transport.send(HTTPRequest(method: .post, url: listener.url))
            #expect(response.head.status == .noContent)
            #expect(!response.metrics.reusedConnection && response.metrics.resendCount == 0)
            #expect(listener.connections == 2)
            await transport.shutdown(.cancelling)
        }
    }
}
