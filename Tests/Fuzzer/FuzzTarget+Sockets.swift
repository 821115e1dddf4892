import Glibc
import Godwit
import GodwitGraphQL
import GodwitSupport
import GodwitTesting
import PeerSupport
import Synchronization
import TestSupport

// What needs a socket: heads and bodies as the engine reads them, requests as the mock server does.
extension FuzzTarget {
    static var sockets: [FuzzTarget] { [responses, http2, codings, requests, multipart] }

    /// A server that answers with the current input, and a client with short limits.
    private final class Exchange: Sendable {
        let server: MockServer
        let client: APIClient
        private let source = ReplySource()

        init() async throws {
            let source = source
            server = try await MockServer { (_: MockRequest) -> MockResponse in source.current }
            client = APIClient(baseURL: server.url, preset: .ephemeral) {
                $0.timeouts.total = .seconds(5)
                $0.retry.maximumAttempts = 1
            }
        }

        func set(_ response: MockResponse) { source.set(response) }

        func read(_ response: MockResponse, _ dictionary: CompressionDictionary? = nil) async throws {
            set(response)
            var request = HTTPRequest(url: server.url)
            request.dictionary = dictionary
            let response = try await client.send(request)
            _ = try await response.body.collect(upTo: 1 << 20)
            _ = "\(response.head.fields)"
        }
    }

    private final class ReplySource: Sendable {
        let reply = Mutex(MockResponse.status(.ok))

        var current: MockResponse { reply.withLock { $0 } }

        func set(_ response: MockResponse) {
            reply.withLock { $0 = response }
        }
    }

    private actor Shared {
        private var exchange: Exchange?

        func get() async throws -> Exchange {
            if let exchange { return exchange }
            let made = try await Exchange()
            exchange = made
            return made
        }
    }

    private static let shared = Shared()

    private static var responses: FuzzTarget {
        FuzzTarget.bytes(
            "responses",
            words: [
                "HTTP/1.1 200 OK\r\n", "Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n", "\r\n\r\n",
                "0\r\n\r\n", "HTTP/1.1 103 E\r\n", "5;a=b\r\n",
            ]
        ) { data in
            try await shared.get().read(.raw(data))
        }
    }

    /// A server that sends the current input behind a client's preface, and a client of HTTP/2. It closes the connection, so
    /// every request ends.
    private final class HTTP2Exchange: Sendable {
        private let listener: Listener
        private let transport: SocketTransport
        private let input = Mutex(Data())

        init() throws {
            listener = try Listener()
            transport = try SocketTransport { $0.protocols = .http2PriorKnowledge }
            listener.serve { [weak self] connection in
                guard let self, connection.readHead() != nil else { return }
                connection.write(input.withLock(\.self))
            }
        }

        func read(_ data: Data) async throws {
            input.withLock { $0 = data }
            var request = HTTPRequest(url: listener.url)
            request.options.timeouts.total = .seconds(20)
            do {
                let response = try await transport.send(request)
                _ = try await response.body.collect(upTo: 1 << 20)
            } catch {
                guard case .timedOut = error.kind else { return }
                fail("http2: a request outlives its connection: \(error)")
            }
        }
    }

    private static let sharedHTTP2 = Result { try HTTP2Exchange() }

    private static var http2: FuzzTarget {
        FuzzTarget.bytes(
            "http2",
            words: [
                "\0\0\0\u{4}\0\0\0\0\0", "\0\0\u{1}\u{1}\u{4}\0\0\0\u{1}", "\0\0\u{2}\0\u{1}\0\0\0\u{1}hi",
                "\0\0\u{4}\u{3}\0\0\0\0\u{1}\0\0\0\u{7}", "\0\0\u{8}\u{7}\0\0\0\0\0\0\0\0\0\0\0\0\u{1}",
                "\0\u{3}x-a\u{1}b",
            ]
        ) { data in
            try await sharedHTTP2.get().read(data)
        }
    }

    private static var codings: FuzzTarget {
        FuzzTarget(name: "codings") { data, random in
            let codings = ["gzip", "deflate", "br", "zstd", "gzip, br", "zstd, gzip", "x-gzip, deflate", "dcz", "dcb"]
            let coding = codings[random.below(codings.count)]
            // Half of the bodies get past the header that names the dictionary.
            let header = coding == "dcz" && random.below(2) == 0 ? Data(dictionary.header) : Data()
            var response = MockResponse.bytes(header + data)
            response.fields["Content-Encoding"] = coding
            try await shared.get().read(response, dictionary.value)
        }
    }

    private static let dictionary = {
        let content = Data("the bar-tailed godwit, the black-tailed godwit".utf8)
        let digest = SHA256.digest(content)
        let header: [UInt8] = [0x5E, 0x2A, 0x4D, 0x18, 0x20, 0, 0, 0] + digest
        return (value: CompressionDictionary(content: content, digest: digest, id: "1", wasRefused: {}), header: header)
    }()

    private static var requests: FuzzTarget {
        FuzzTarget.bytes(
            "requests",
            words: [
                "GET / HTTP/1.1\r\nHost: h\r\n", "Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n", "\r\n\r\n",
                "Expect: 100-continue\r\n", "Upgrade: websocket\r\n",
            ]
        ) { data in
            let server = try await shared.get().server
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var limit = timeval(tv_sec: 2, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            guard Loopback.connect(descriptor, to: server.url.port) == 0 else { return }
            _ = data.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            Glibc.shutdown(descriptor, Int32(SHUT_WR))
            var buffer = [UInt8](repeating: 0, count: 4096)
            while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
        }
    }

    private static var multipart: FuzzTarget {
        FuzzTarget.bytes(
            "multipart",
            words: [
                "\r\n--graphql\r\n", "\r\n--graphql--\r\n", "Content-Type: application/json\r\n\r\n",
                "{\"payload\":{\"data\":{}}}",
            ]
        ) { data in
            let exchange = try await shared.get()
            exchange.set(.chunks([data], contentType: "multipart/mixed; boundary=graphql"))
            let graphQL = GraphQLClient(exchange.client) {
                $0.subscriptions.transport = .multipart()
                $0.subscriptions.reconnection = .never
            }
            let subscription = GraphQLSubscription<JSONValue>.subscription(GraphQLDocument("subscription { a }"))
            for try await _ in graphQL.subscribe(subscription) {}
        }
    }
}
