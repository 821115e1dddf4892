#if canImport(Glibc)
import Godwit
import GodwitCommand
import PeerSupport
import Testing

@Suite("HTTP/3: the godwit command", .enabled(if: H3Peer.isAvailable, H3Peer.hint), .timeLimit(.minutes(5)))
struct HTTP3CommandTests {
    private func hello(_ peer: H3Peer, _ option: String) async throws -> Run {
        let authority = try Nginx.file("ca.pem").path
        return await Run.godwit("get", "\(try peer.at("/hello"))", "--cacert", authority, option)
    }

    @Test("G1 T15 the first request uses HTTP/3", arguments: ["--http3", "--http3-only"])
    func used(option: String) async throws {
        let run = try await hello(H3Peer("--alt-svc", "no"), option)
        #expect(run.code == .success, "\(run.errors)")
        #expect(run.output.contains(#""version": "3""#))
        #expect(run.errors == "")
    }

    @Test("G1 T15 where UDP is refused, --http3 uses HTTP/2 and says so, and --http3-only fails")
    func refused() async throws {
        let peer = try H3Peer("--udp", "closed")
        let run = try await hello(peer, "--http3")
        #expect(run.output.contains(#""version": "2""#))
        #expect(run.errors == "godwit: HTTP/3 was not used: QUIC did not connect before TCP did\n")
        #expect(try await hello(peer, "--http3-only").code == .unreachable)
    }
}
#endif
