import Godwit
import RealServerSupport
import Testing

// snippet: guide-etcd-model
/// An entry. 64-bit integers are strings, as in all of protobuf's JSON, and bytes are Base64.
struct Entry: Decodable, Equatable, Nonisolated {
    var key: Data
    var value: Data?
    @NumberOrString var modRevision: Int64
}

/// Keys that begin so. Without a revision, as they are now.
nonisolated struct KeyRange: Encodable, Sendable {
    var key: Data
    var rangeEnd: Data
    var startRevision: Int64?

    init(prefix: String, from revision: Int64? = nil) {
        key = Data(prefix.utf8)
        rangeEnd = key
        // The next text of the same length.
        if let last = rangeEnd.popLast() { rangeEnd.append(last + 1) }
        startRevision = revision
    }
}

nonisolated extension Endpoint<[Entry]?> {
    /// `nil` if there are none: protobuf's JSON leaves out what is empty.
    static func entries(_ range: KeyRange) -> Self { .post("kv/range", body: .json(range)).unwrapping("kvs") }
}

nonisolated extension Endpoint<Void> {
    static func put(_ key: String, _ value: String, lease: String? = nil) -> Self {
        let (key, value) = (Data(key.utf8).base64EncodedString(), Data(value.utf8).base64EncodedString())
        return .post("kv/put", body: .json(["key": key, "value": value, "lease": lease]))
    }

    static func watch(_ range: KeyRange) -> Self {
        .post("watch", body: .json(["create_request": range])).options { $0.timeouts.inactivity = .seconds(86_400) }
    }
}
// end

// snippet: guide-etcd-watch
/// A line of a watch, whose answer never ends: the changes since the last one.
nonisolated struct WatchLine: Decodable, Sendable {
    struct Change: Decodable, Sendable {
        /// `nil` for a put, `DELETE` for the rest.
        var type: String?
        var kv: Entry
    }

    struct Changes: Decodable, Sendable {
        var events: [Change]?
    }

    /// `nil` in the last line of a server that shuts down, which is `{"error": …}`.
    var result: Changes?
}

/// Follows all changes. After a loss of the connection, continues with the next revision: none is lost, and none comes twice.
func follow(
    _ prefix: String, from first: Int64, at api: APIClient, change: (WatchLine.Change) async -> Void
) async throws {
    var revision = first
    while true {
        let watch = api.stream(.watch(KeyRange(prefix: prefix, from: revision)))
        do {
            for try await line in watch.jsonLines(of: WatchLine.self) {
                for event in line.result?.events ?? [] {
                    await change(event)
                    revision = max(revision, event.kv.modRevision + 1)
                }
            }
        } catch {
            guard error.isRetryable else { throw error }
        }
        try await Task.sleep(for: .milliseconds(200))
    }
}
// end

@Suite("etcd", .enabled(if: RealServer.isInstalled(.command("etcd")), "script/setup --servers"))
struct EtcdTests {
    private func server() async throws -> (RealServer, APIClient) {
        let server = try await RealServer(.command("etcd")) { place in
            [
                "--data-dir=\(place.folder.path)/data", "--listen-client-urls=http://127.0.0.1:\(place.port)",
                "--advertise-client-urls=http://127.0.0.1:\(place.port)",
                "--listen-peer-urls=http://127.0.0.1:\(place.otherPort)",
            ]
        }
        return (server, client(server.url + "/v3/"))
    }

    private func client(_ url: String) -> APIClient {
        // snippet: guide-etcd
        let api = APIClient(baseURL: url) { $0.json = JSONCoding(keys: .snakeCase) }
        // end
        return api
    }

    @Test(
        "a watch is lines that never end; after the server's restart it continues where it was: R1, M4",
        .timeLimit(.minutes(15)))
    func watches() async throws {
        let (server, api) = try await server()
        let (values, seen) = AsyncStream<String>.makeStream()
        let watch = Task {
            defer { seen.finish() }
            try await follow("birds/", from: 1, at: api) { change in
                seen.yield((change.type ?? "PUT") + " " + String(decoding: change.kv.value ?? Data(), as: UTF8.self))
            }
        }
        var shown = values.makeAsyncIterator()
        try await api.send(.put("birds/1", "tern"))
        guard await shown.next() == "PUT tern" else { return try await watch.value }
        try await api.send(.put("boats/1", "cutter"))
        try await api.send(.put("birds/2", "godwit"))
        #expect(await shown.next() == "PUT godwit")

        await server.stop()
        try await server.start()
        // What happens before the watch is back isn't lost.
        try await withRetry(attempts: 100) { try await api.send(.put("birds/3", "avocet").retry(.never)) }
        try await api.send(Endpoint<Void>.post("kv/deleterange", body: .json(KeyRange(prefix: "birds/1"))))
        guard await shown.next() == "PUT avocet" else { return try await watch.value }
        #expect(await shown.next() == "DELETE ")
        watch.cancel()
        await #expect(throws: (any Error).self) { try await watch.value }
        let found = try await api.send(.entries(KeyRange(prefix: "birds/")))
        #expect(found?.map { String(decoding: $0.value ?? Data(), as: UTF8.self) } == ["godwit", "avocet"])
        #expect(try await api.send(.entries(KeyRange(prefix: "fish/"))) == nil)
        await server.stop()
    }

    @Test(
        "leases: an entry ends with its lease, and one that is gone is told by the server: E11",
        .timeLimit(.minutes(15)))
    func leases() async throws {
        let (server, api) = try await server()
        let lease = try await api.send(
            Endpoint<String>.post("lease/grant", body: .json(["TTL": 60])).unwrapping("ID"))
        try await api.send(.put("birds/1", "tern", lease: lease))
        try await api.send(Endpoint<Void>.post("lease/revoke", body: .json(["ID": lease])))
        #expect(try await api.send(.entries(KeyRange(prefix: "birds/"))) == nil)

        let again = await api.result(of: Endpoint<Void>.post("lease/revoke", body: .json(["ID": lease])))
        guard case .failure(let error) = again else { throw Unexpected() }
        #expect(error.kind == .notFound)
        #expect(error.userMessage == "etcdserver: requested lease not found")
        await server.stop()
    }
}
