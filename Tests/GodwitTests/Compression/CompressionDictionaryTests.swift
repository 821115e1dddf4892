import Godwit
import GodwitSupport
import GodwitTesting
import Synchronization
import TestSupport
import Testing

@Suite("C6 compression dictionaries", .timeLimit(.minutes(15)))
struct CompressionDictionaryTests {
    static let old = Data((0..<2000).map { "line \($0 * 7919 % 2003) of version one\n" }.joined().utf8)
    static let new = Data(
        (0..<2000).map { "line \($0 * 7919 % 2003) of version \($0 % 90 == 0 ? "two" : "one")\n" }.joined().utf8)

    private let folder = TemporaryFolder()

    /// A server of versions: `/v1` is a dictionary for `/v*`, and the rest is sent as the difference from it if it is offered.
    static func server(
        _ rule: String = "match=\"/v*\", id=\"one\"", control: String = "max-age=600",
        difference: Data? = nil, vary: String = "Accept-Encoding, Available-Dictionary"
    ) async throws -> MockServer {
        let sent = try await DictionaryCodings.dcz(new, with: old)
        return try await MockServer { route in
            route.get("/v1").reply(
                .bytes(old).field("Use-As-Dictionary", rule).field(.cacheControl, control).field(.vary, vary))
            route.any("*").reply { request in
                guard request.fields["Available-Dictionary"] == DictionaryCodings.digest(of: old),
                    request.fields[.acceptEncoding]?.contains("dcz") == true
                else { return .bytes(new).field(.vary, vary) }
                return .bytes(difference ?? sent).field(.contentEncoding, "dcz").field(.vary, vary)
            }
        }
    }

    private func api(
        _ server: MockServer, _ cache: CacheSetting = .memory(limit: 8 << 20),
        _ configure: (inout ClientConfiguration) -> Void = { _ in }
    ) -> APIClient {
        APIClient(baseURL: server.url) {
            $0.cache = cache
            $0.usesCompressionDictionaries = true
            configure(&$0)
        }
    }

    private func get(_ path: String) -> Endpoint<Data> { .get("\(path)") }

    /// What the last request offered: the digest, the ID and the codings.
    private func offer(_ server: MockServer) -> [String?] {
        let fields = server.requests.last?.fields ?? [:]
        return [fields["Available-Dictionary"], fields["Dictionary-ID"], fields[.acceptEncoding]]
    }

    private static let plainCodings = "gzip, deflate, br, zstd"
    private static let nothing = [nil, nil, plainCodings]

    @Test(
        "C6 the next version is sent as its difference from a stored response, and decoded",
        arguments: ["memory", "disk"])
    func difference(kind: String) async throws {
        let server = try await Self.server()
        let api = api(
            server, kind == "disk" ? .store(try DiskCacheStore(directory: folder.url)) : .memory(limit: 8 << 20))
        #expect(try await api.send(get("v1")) == Self.old)
        #expect(offer(server) == Self.nothing)
        let response = try await api.response(for: get("v2"))
        #expect(response.value == Self.new)
        #expect(response.metrics.bytesReceived < Int64(Self.new.count / 10))
        #expect(!response.head.fields.contains(.contentEncoding))
        #expect(offer(server)[..<2] == [DictionaryCodings.digest(of: Self.old), "\"one\""])
        #expect(offer(server)[2]?.hasPrefix(Self.plainCodings + ", ") == true)
    }

    @Test("C6 it is off by default, and without a cache")
    func off() async throws {
        let server = try await Self.server()
        for client in [api(server) { $0.usesCompressionDictionaries = false }, api(server, .off)] {
            _ = try await client.send(get("v1"))
            #expect(try await client.send(get("v2")) == Self.new)
            #expect(offer(server) == Self.nothing)
        }
    }

    @Test("C6 streams and files are decoded with it, too")
    func deliveries() async throws {
        let server = try await Self.server()
        let api = api(server)
        _ = try await api.send(get("v1"))
        for delivery in [Delivery.streamed, .file(folder.url.appending(path: "v2"))] {
            let request = HTTPRequest(url: try server.url.resolving("/v2"), delivery: delivery)
            let response = try await api.send(request)
            #expect(response.head.status == .ok)
            let body = try await response.body.collect(upTo: 1 << 20)
            #expect(body == Self.new)
            #expect(offer(server)[0] != nil)
        }
    }

    @Test("C6 dictionaries of a former run are found on disk, and belong to no other origin")
    func restart() async throws {
        let server = try await Self.server()
        _ = try await api(server, .store(try DiskCacheStore(directory: folder.url))).send(get("v1"))
        let api = api(server, .store(try DiskCacheStore(directory: folder.url)))
        #expect(try await api.send(get("v2")) == Self.new)
        #expect(offer(server)[0] == DictionaryCodings.digest(of: Self.old))
        let other = try await Self.server()
        #expect(try await api.send(HTTPRequest(url: try other.url.resolving("/v2"))).head.status == .ok)
        #expect(offer(other) == Self.nothing)
    }

    @Test(
        "C6 only what the pattern names, and the cache may use, is offered",
        arguments: [
            ("match=\"/v2\"", "max-age=600", true), ("match=\"/w*\"", "max-age=600", false),
            ("match=\"/v*\"", "max-age=0", false), ("match=\"/v*\"", "no-cache", false),
            ("match=\"/v*\"", "no-store", false), ("match=\"/v*\"", "max-age=0, stale-while-revalidate=600", true),
            ("match=\"/v(.*)\"", "max-age=600", false), ("match=\"/v*\", type=other", "max-age=600", false),
        ])
    func rules(rule: String, control: String, isOffered: Bool) async throws {
        let server = try await Self.server(rule, control: control)
        let api = api(server)
        _ = try await api.send(get("v1"))
        #expect(try await api.send(get("v2")) == Self.new)
        #expect((offer(server)[0] != nil) == isOffered)
    }

    @Test("C6 a request with codings, a range or a body of its own offers nothing")
    func ownFields() async throws {
        let server = try await Self.server()
        let api = api(server)
        _ = try await api.send(get("v1"))
        _ = try await api.send(get("v2").header(.acceptEncoding, "identity"))
        #expect(offer(server) == [nil, nil, "identity"])
        _ = try await api.send(get("v2").header(.range, "bytes=0-9"))
        #expect(offer(server)[0] == nil)
        _ = try await api.send(Endpoint<Data>.post("v2", body: .json(["a": 1])))
        #expect(offer(server)[0] == nil)
    }

    @Test("C6 nothing is offered after a sign-out, nor once the store is emptied")
    func gone() async throws {
        let server = try await Self.server()
        let api = api(server)
        for remove in [{ try await api.signOut() }, { await api.cacheStore?.removeAll() }] as [() async throws -> Void]
        {
            _ = try await api.send(get("v1"))
            _ = try await api.send(get("v2").cachePolicy(.reloadIgnoringCache))
            #expect(offer(server)[0] != nil)
            try await remove()
            #expect(try await api.send(get("v2")) == Self.new)
            #expect(offer(server) == Self.nothing)
        }
    }

    @Test("C6 if the server used another dictionary, the request is sent once more without one")
    func otherDictionary() async throws {
        let other = try await DictionaryCodings.dcz(Self.new, with: Data("something else".utf8))
        let server = try await Self.server(difference: other)
        let api = api(server) { $0.retry.maximumAttempts = 1 }
        _ = try await api.send(get("v1"))
        #expect(try await api.send(get("v2")) == Self.new)
        #expect(server.requests.count == 3)
        #expect(offer(server) == Self.nothing)
        // It isn't offered again until it is stored again.
        #expect(try await api.send(get("v3")) == Self.new)
        #expect(server.requests.count == 4)
        _ = try await api.send(get("v1").cachePolicy(.reloadIgnoringCache))
        #expect(try await api.send(get("v4")) == Self.new)
        #expect(server.requests.count == 7)
    }

    @Test("C6 a stream with another dictionary fails while it is read, and the next request offers none")
    func otherDictionaryOfStream() async throws {
        let other = try await DictionaryCodings.dcz(Self.new, with: Data("something else".utf8))
        let server = try await Self.server(difference: other)
        let api = api(server)
        _ = try await api.send(get("v1"))
        let request = HTTPRequest(url: try server.url.resolving("/v2"), delivery: .streamed)
        let response = try await api.send(request)
        let error = await #expect(throws: NetworkError.self) { try await response.body.collect(upTo: 1 << 20) }
        #expect(
            error?.kind == .invalidResponse(reason: "the body is compressed with a dictionary that was not offered"))
        #expect(try await api.send(request).body.collect(upTo: 1 << 20) == Self.new)
        #expect(offer(server) == Self.nothing)
    }

    @Test("C6 a body that is cut is an error, and not sent again")
    func damaged() async throws {
        let whole = try await DictionaryCodings.dcz(Self.new, with: Self.old)
        let server = try await Self.server(difference: whole.prefix(60))
        let cut = api(server) { $0.retry.maximumAttempts = 1 }
        _ = try await cut.send(get("v1"))
        let error = await #expect(throws: NetworkError.self) { try await cut.send(get("v2")) }
        #expect(error?.kind == .transport(.connectionLost("the compressed body is incomplete")))
        #expect(server.requests.count == 2)
    }

    @Test("C6 a bomb ends at the limit, and a window that is too large is refused")
    func bomb() async throws {
        for (window, kind) in [
            (20, .tooLarge(limit: 1 << 20)), (nil, .invalidResponse(reason: "the compressed content is damaged")),
        ] as [(Int?, NetworkError.Kind)] {
            let zeros = try await DictionaryCodings.dcz(Data(count: 64 << 20), with: Self.old, window: window)
            #expect(zeros.count < 64 << 10)
            let server = try await Self.server(difference: zeros)
            let api = api(server) { $0.options.responseLimit.decoded = 1 << 20 }
            _ = try await api.send(get("v1"))
            let error = await #expect(throws: NetworkError.self) { try await api.send(get("v2")) }
            #expect(error?.kind == kind)
        }
    }

    @Test("C6 a dictionary that was replaced is offered by its own digest, also if no clock has moved")
    func replaced() async throws {
        let contents = Mutex(["first", "other"])
        let transport = DictionaryTransport { contents.withLock { $0.popLast() } ?? "dictionary" }
        let now = Date()
        let store = MemoryCacheStore()
        let chain = Chain([Caching(store, usesCompressionDictionaries: true, now: { now })], over: transport)
        func get(_ path: String, _ policy: CachePolicy) async throws {
            var request = HTTPRequest(url: try HTTPURL("https://example.com" + path))
            request.options.cachePolicy = policy
            _ = try await chain.send(request)
        }
        for path in ["/1", "/1", "/1"] { try await get(path, .reloadIgnoringCache) }
        #expect(transport.digests == [Data("other".utf8), Data("first".utf8)].map { SHA256.digest($0) })
    }

    @Test("C6 over plain http, only this machine is offered a dictionary, and the response doesn't keep it")
    func plain() async throws {
        let transport = DictionaryTransport()
        let chain = Chain([Caching(MemoryCacheStore(), usesCompressionDictionaries: true)], over: transport)
        for origin in ["http://example.com", "https://example.com", "http://127.0.0.1"] {
            for path in ["/1", "/2"] {
                let response = try await chain.send(HTTPRequest(url: try HTTPURL(origin + path)))
                #expect(response.request.dictionary == nil)
            }
        }
        #expect(transport.offered == ["https://example.com/2", "http://127.0.0.1/2"])
    }
}

/// Whose responses are dictionaries for all requests. Notes those that have one.
private final class DictionaryTransport: HTTPTransport {
    private let sent = Mutex<[(url: String, digest: [UInt8])]>([])
    private let content: @Sendable () -> String

    init(_ content: @escaping @Sendable () -> String = { "dictionary" }) { self.content = content }

    var offered: [String] { sent.withLock { $0.map(\.url) } }
    var digests: [[UInt8]] { sent.withLock { $0.map(\.digest) } }

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        if let dictionary = request.dictionary {
            sent.withLock { $0.append((request.url.absoluteString, dictionary.digest)) }
        }
        let fields: HTTPFields = ["Use-As-Dictionary": "match=\"/*\"", .cacheControl: "max-age=60"]
        let head = HTTPResponseHead(status: .ok, fields: fields)
        return HTTPResponse(head: head, body: .bytes(Data(content().utf8)), request: request)
    }
}
