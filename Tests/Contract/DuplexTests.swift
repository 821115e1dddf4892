import Godwit
import GodwitTesting
import PeerSupport
import Testing

/// Requests and responses whose bodies are under way at the same time.
@Suite("Contract: full duplex", .enabled(if: H2Peer.isAvailable, H2Peer.hint), .serialized, .timeLimit(.minutes(15)))
struct DuplexTests {
    /// A server that answers before it has the whole request.
    enum Peer: Sendable {
        case http1(DuplexServer), http2(H2Peer)

        func at(_ path: String) throws -> HTTPURL {
            switch self {
            case .http1(let server): try HTTPURL(server.origin + path)
            case .http2(let peer): try HTTPURL(peer.secure + path)
            }
        }

        /// Bytes of requests to `/gush`, and of its answers.
        func count() async throws -> (received: Int, written: Int) {
            switch self {
            case .http1(let server): return (server.count.received, server.count.written)
            case .http2(let peer):
                let count = try await peer.count()
                return (count.received, count.written)
            }
        }
    }

    enum Version: CaseIterable, Sendable {
        case http1, http2

        func start() throws -> Peer {
            switch self {
            case .http1: .http1(try DuplexServer())
            case .http2: .http2(try H2Peer())
            }
        }
    }

    /// A request whose body is fed by hand, and what happened to it.
    struct Feed {
        let chunks: AsyncStream<Data>
        let input: AsyncStream<Data>.Continuation
        let hasEnded = Watched(false)

        init() {
            (chunks, input) = AsyncStream<Data>.makeStream()
            input.onTermination = { [hasEnded] _ in hasEnded.update { $0 = true } }
        }

        func request(_ url: HTTPURL) -> HTTPRequest {
            .upload(.stream(once: chunks), to: url, .post) { $0.delivery = .streamed }
        }

        /// Sends so many numbers, each once the answer to the one before it has come.
        func talk(_ turns: Int, reading lines: inout some AsyncIteratorProtocol<String, NetworkError>) async throws {
            for number in 0..<turns {
                input.yield(Data("\(number)\n".utf8))
                #expect(try await lines.next(isolation: nil) == "\(number + 1)")
            }
        }
    }

    @Test(
        "T16 I10 1,000 turns in one exchange, each made of the answer before it", arguments: Subject.allCases,
        Version.allCases)
    func conversation(_ subject: Subject, _ version: Version) async throws {
        let peer = try version.start()
        let transport = try subject.makeTrusting()
        let feed = Feed()
        let response = try await transport.send(feed.request(peer.at("/talk")))
        var lines = response.body.lines.makeAsyncIterator()
        try await feed.talk(1000, reading: &lines)
        feed.input.finish()
        #expect(try await lines.next() == nil)
        #expect(response.trailers["X-End"] == "over")
        #expect(try await text(of: transport.get(peer.at("/ok"))) == "ok")
    }

    @Test(
        "T16 a reader that does not read stops the server, and the upload goes on", arguments: Subject.allCases,
        Version.allCases)
    func unread(_ subject: Subject, _ version: Version) async throws {
        let peer = try version.start()
        let transport = try subject.makeTrusting { $0.streamBuffer = 64 << 10 }
        let feed = Feed()
        let response = try await transport.send(feed.request(peer.at("/gush")))
        var last = -1
        while case let written = try await peer.count().written, written != last || written == 0 {
            last = written
            try await Task.sleep(for: .milliseconds(300))
        }
        // What the buffers of both systems and the window of a stream hold, of which libcurl's is 32 MiB.
        #expect(last <= 40 << 20)
        // Within the window of the HTTP/2 peer: libcurl 7.88 doesn't look for a larger one without another stream.
        for _ in 0..<60 { feed.input.yield(Data(count: 1000)) }
        while try await peer.count().received < 60_000 { try await Task.sleep(for: .milliseconds(20)) }
        let written = try await peer.count().written
        #expect(written <= last + 1 << 20)
        // It continues once it is read.
        var count = 0
        for try await chunk in response.body {
            count += chunk.count
            if count > last + 1 << 20 { break }
        }
        try await feed.hasEnded.wait { $0 }
        #expect(try await text(of: transport.get(peer.at("/ok"))) == "ok")
    }

    @Test(
        "T16 a server that does not read stops the source, and its answer is read", arguments: Subject.allCases,
        Version.allCases)
    func deaf(_ subject: Subject, _ version: Version) async throws {
        let peer = try version.start()
        let transport = try subject.makeTrusting()
        let source = Source(Data(count: 16 << 10), times: 10_000)
        do {
            let response = try await transport.send(
                .upload(.stream { source }, to: peer.at("/deaf"), .post) { $0.delivery = .streamed })
            var lines = response.body.lines.makeAsyncIterator()
            #expect(try await lines.next() == "hello")
            #expect(try await source.record.bytesOncePaused() < 32 << 20)
            #expect(!source.record.value.hasEnded)
        }
        // Its body let go of, the exchange is over.
        try await source.record.wait { $0.isReleased }
        #expect(try await text(of: transport.get(peer.at("/ok"))) == "ok")
    }

    @Test(
        "T16 a server that ends its answer ends the exchange, whatever the request's stream does",
        arguments: Subject.allCases, Version.allCases)
    func ended(_ subject: Subject, _ version: Version) async throws {
        let peer = try version.start()
        let transport = try subject.makeTrusting()
        for query in ["turns=3", "turns=3&close=1", "turns=3&reading=1"] {
            let feed = Feed()
            let response = try await transport.send(feed.request(peer.at("/talk?\(query)")))
            var lines = response.body.lines.makeAsyncIterator()
            try await feed.talk(3, reading: &lines)
            #expect(try await lines.next() == nil, "\(query)")
            try await feed.hasEnded.wait { $0 }
            #expect(try await text(of: transport.get(peer.at("/ok"))) == "ok")
        }
    }

    @Test(
        "T16 an early response ends an upload, and the connection is fit or closed", arguments: Subject.allCases,
        Version.allCases)
    func early(_ subject: Subject, _ version: Version) async throws {
        let peer = try version.start()
        let transport = try subject.makeTrusting()
        let queries = version == .http1 ? ["", "&close=1", "&reading=1"] : ["", "&reset=1"]
        for status in [200, 413, 503] {
            for query in queries {
                for delivery in [Delivery.buffered, .streamed] {
                    for chunks in [3, 1_000_000] {
                        // It waits for more after three chunks, or has always more.
                        let source = Source(Data(count: 1000), times: chunks, then: .wait)
                        let request = HTTPRequest.upload(
                            .stream { source }, to: try peer.at("/early?status=\(status)\(query)"), .post
                        ) { $0.delivery = delivery }
                        let name: Comment = "\(status)\(query) \(delivery) \(chunks)"
                        let response = try await transport.send(request)
                        #expect(response.head.status.code == status, name)
                        #expect(try await text(of: response) == "early", name)
                        try await source.record.wait { $0.isReleased }
                        #expect(!source.record.value.hasEnded, name)
                        #expect(try await text(of: transport.get(peer.at("/ok"))) == "ok", name)
                    }
                }
            }
        }
    }

    @Test("T16 a reader that leaves ends the upload", arguments: Subject.allCases, Version.allCases)
    func left(_ subject: Subject, _ version: Version) async throws {
        let peer = try version.start()
        let transport = try subject.makeTrusting()
        let feed = Feed()
        var response: HTTPResponse? = try await transport.send(feed.request(peer.at("/talk")))
        #expect(response?.head.status == .ok)
        response = nil
        try await feed.hasEnded.wait { $0 }
        #expect(try await text(of: transport.get(peer.at("/ok"))) == "ok")
    }
}
