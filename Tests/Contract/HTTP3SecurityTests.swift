import Godwit
import GodwitHTTP3
import PeerSupport
import Testing

/// Rules for TLS hold over QUIC as over TCP: nothing is sent to a server that they refuse.
@Suite(
    "HTTP/3: authorities, pins, client certificates", .enabled(if: H3Peer.isAvailable, H3Peer.hint),
    .timeLimit(.minutes(15)))
struct HTTP3SecurityTests {
    private static let other = Pin.sha256([UInt8](repeating: 7, count: 32))

    /// The error of a request over HTTP/3 alone, and how many requests the server saw.
    private func refusal(
        by peer: H3Peer, _ configure: (inout HTTP3Configuration) -> Void
    ) async throws -> (error: NetworkError?, seen: Int) {
        let strict = try peer.transport {
            $0.mode = .only
            configure(&$0)
        }
        let error = await strict.failure(of: .upload("secret", to: try peer.at("/hello"), .post))
        await strict.shutdown(.finishing)
        // The peer's own certificate is the test authority's here, so this one is let in.
        let open = try peer.tcpTransport()
        let seen = try await open.hello(peer).0.count - 1
        await open.shutdown(.finishing)
        return (error, seen)
    }

    private func error(from peer: H3Peer) async throws -> NetworkError? {
        let transport = try peer.transport { $0.mode = .only }
        let error = await transport.failure(of: .get(try peer.at("/hello")))
        await transport.shutdown(.finishing)
        return error
    }

    @Test("T15 S1 a server of an authority that isn't trusted is refused over QUIC, and nothing is sent")
    func untrusted() async throws {
        let (error, seen) = try await refusal(by: H3Peer()) { $0.sockets.additionalAuthorities = nil }
        guard case .insecure(.untrustedCertificate)? = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(seen == 0)
    }

    @Test("T15 S1 a certificate for another host, and an expired one, are refused over QUIC")
    func wrongCertificates() async throws {
        let wrong = try await error(from: H3Peer(certificate: "wrong.example"))
        #expect(wrong?.kind == .insecure(.hostMismatch("localhost")))
        let expired = try await error(from: H3Peer(certificate: "expired"))
        #expect(expired?.kind == .insecure(.certificateExpired))
    }

    @Test("T15 S2 pinned keys apply over QUIC: the right one is let in, another refused before anything is sent")
    func pins() async throws {
        let peer = try H3Peer()
        let leaf = try Nginx.pin("localhost")
        let right = try peer.transport {
            $0.mode = .only
            $0.sockets.tls.pins["localhost"] = [leaf, Self.other]
        }
        #expect(try await right.hello(peer).0.version == "3")
        await right.shutdown(.finishing)
        let stranger = try Nginx.pin("stranger")
        let (error, seen) = try await refusal(by: peer) { $0.sockets.tls.pins["localhost"] = [Self.other, stranger] }
        #expect(error?.kind == .insecure(.pinMismatch))
        #expect(error?.phase == .connecting)
        #expect(seen == 1)
    }

    @Test("T15 S2 a pin that fails over QUIC fails over TCP too, as both race")
    func pinsInARace() async throws {
        let peer = try H3Peer()
        let stranger = try Nginx.pin("stranger")
        let transport = try peer.transport { [url = try peer.at("/")] in
            $0.alternativeServices.expectHTTP3(at: url)
            $0.sockets.tls.pins["localhost"] = [Self.other, stranger]
        }
        for _ in 0..<3 {
            let error = await transport.failure(of: .get(try peer.at("/hello")))
            #expect(error?.kind == .insecure(.pinMismatch))
        }
        await transport.shutdown(.finishing)
    }

    @Test("T15 S1 an authority that is trusted for one host alone holds over QUIC")
    func authorities() async throws {
        let peer = try H3Peer(certificate: "selfsigned")
        let file = try Nginx.file("selfsigned.pem")
        let own = try peer.transport {
            $0.mode = .only
            $0.sockets.additionalAuthorities = nil
            $0.sockets.tls.authorities["localhost"] = .adding(.file(file))
        }
        #expect(try await own.hello(peer).0.version == "3")
        await own.shutdown(.finishing)
        let elsewhere = try peer.transport {
            $0.mode = .only
            $0.sockets.tls.authorities["other.example"] = .adding(.file(file))
        }
        let error = await elsewhere.failure(of: .get(try peer.at("/hello")))
        guard case .insecure? = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
        await elsewhere.shutdown(.finishing)
    }

    @Test("T15 S4 a client certificate is shown over QUIC, to its host alone")
    func clientCertificates() async throws {
        let peer = try H3Peer("--client-certificates")
        let certificate = ClientCertificate.pem(
            certificate: .file(try Nginx.file("client.pem")), key: .file(try Nginx.file("client.key")))
        let known = try peer.transport {
            $0.mode = .only
            $0.sockets.tls.clientCertificates["localhost"] = certificate
        }
        #expect(try await known.hello(peer).0.version == "3")
        await known.shutdown(.finishing)
        let unknown = try peer.transport {
            $0.mode = .only
            $0.sockets.tls.clientCertificates["other.example"] = certificate
        }
        let error = await unknown.failure(of: .get(try peer.at("/hello")))
        switch error?.kind {
        // libcurl doesn't always tell why a server closed a QUIC connection.
        case .insecure(.clientCertificate), .transport(.connectionLost), .transport(.cannotConnect): break
        default: Issue.record("\(String(describing: error))")
        }
        await unknown.shutdown(.finishing)
    }
}
