import Godwit
import GodwitHTTP3
import PeerSupport
import Synchronization
import Testing

extension BadNetwork {
    @Suite("HTTP/3 on networks that lose UDP", .enabled(if: H3Peer.isAvailable, H3Peer.hint))
    struct HTTP3NetworkTests {
        /// A clock that the test advances.
        private final class Clock: Sendable {
            private let seconds = Mutex(1_800_000_000.0)

            func advance(by more: Double) { seconds.withLock { $0 += more } }

            @Sendable func now() -> Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }
        }

        private func duration(_ work: () async throws -> Void) async throws -> Duration {
            let clock = ContinuousClock()
            let start = clock.now
            try await work()
            return clock.now - start
        }

        @Test(
            "T15 where UDP is lost or refused, HTTP/3 costs under 300 ms once, and nothing until its pause is over",
            arguments: [
                "silent", "closed",
            ])
        func withoutUDP(udp: String) async throws {
            let peer = try H3Peer("--udp", udp)
            let clock = Clock()
            let transport = try peer.transport { $0.alternativeServices = AlternativeServices(now: clock.now) }
            _ = try await transport.hello(peer)
            for pause in [300.0, 600, 1200] {
                let first = try await duration {
                    let (hello, metrics) = try await transport.hello(peer)
                    #expect(hello.version == "2")
                    #expect(metrics.http3Fallback == "QUIC did not connect before TCP did")
                }
                print("T15 QUIC \(udp): the first request took \(first)")
                #expect(first < .milliseconds(300))
                clock.advance(by: pause - 1)
                let later = try await duration {
                    let (hello, metrics) = try await transport.hello(peer)
                    #expect(hello.version == "2")
                    #expect(metrics.reusedConnection)
                    #expect(metrics.http3Fallback == "QUIC to this server failed, and is tried again later")
                }
                #expect(later < .milliseconds(100))
                clock.advance(by: 2)
            }
            await transport.shutdown(.finishing)
        }

        @Test("T15 UDP that works again is used once the pause is over")
        func recovers() async throws {
            let peer = try H3Peer("--udp", "silent")
            let clock = Clock()
            let transport = try peer.transport { $0.alternativeServices = AlternativeServices(now: clock.now) }
            for _ in 0..<2 { #expect(try await transport.hello(peer).0.version == "2") }
            peer.pass(.open)
            #expect(try await transport.hello(peer).0.version == "2")
            clock.advance(by: AlternativeTable.firstPause + 1)
            for _ in 0..<2 { #expect(try await transport.hello(peer).0.version == "3") }
            await transport.shutdown(.finishing)
        }

        @Test(
            "T15 T11 where UDP is closed under an open connection, what may be sent twice uses TCP, and the rest fails once"
        )
        func closed() async throws {
            for method in [HTTPMethod.get, .post] {
                let peer = try H3Peer()
                let transport = try peer.transport()
                for version in ["2", "3", "3"] { #expect(try await transport.hello(peer).0.version == version) }
                peer.pass(.closed)
                let request = HTTPRequest(method: method, url: try peer.at("/hello"))
                if method == .post {
                    #expect(await transport.failure(of: request)?.shortDescription.hasPrefix("transport.") == true)
                } else {
                    let response = try await transport.send(request)
                    #expect(response.metrics.protocolVersion == .http2)
                    #expect(response.metrics.http3Fallback == "QUIC did not connect before TCP did")
                }
                let (hello, _) = try await transport.hello(peer)
                #expect(hello.version == "2" && hello.count == (method == .post ? 4 : 5))
                await transport.shutdown(.finishing)
            }
        }

        @Test("T15 a QUIC connection that goes silent is given up: the request fails in time, and later ones use TCP")
        func silence() async throws {
            let peer = try H3Peer()
            let transport = try peer.transport()
            for version in ["2", "3", "3"] { #expect(try await transport.hello(peer).0.version == version) }
            peer.pass(.silent)
            let url = try peer.at("/hello")
            let lost = try await duration {
                let error = await transport.failure(of: .get(url) { $0.options.timeouts.inactivity = .seconds(1) })
                #expect(error?.kind == .timedOut(.inactivity))
            }
            #expect(lost < .seconds(2))
            let next = try await duration {
                let (hello, _) = try await transport.hello(peer)
                #expect(hello.version == "2")
            }
            #expect(next < .milliseconds(500))
            await transport.shutdown(.finishing)
        }
    }
}
