import Godwit
import GodwitUI
import RealServerSupport
import Testing

// snippet: guide-kinto-model
nonisolated struct Sighting: Codable, Sendable, Identifiable, Equatable {
    var id: String?
    /// Set by the server: milliseconds, the version of the record.
    var lastModified: Int64?
    var species: String
    var count: Int
}

nonisolated extension Endpoint<[Sighting]> {
    /// A page of them; the next is in the field `Next-Page`.
    static func sightings(_ filters: QueryItems = [:]) -> Self { .get("records", query: filters).unwrapping("data") }
}

nonisolated extension Endpoint<Sighting> {
    static func create(_ sighting: Sighting) -> Self {
        .post("records", body: .json(["data": sighting])).unwrapping("data")
    }

    static func replace(_ sighting: Sighting) -> Self {
        .put("records/\(sighting.id ?? "")", body: .json(["data": sighting])).unwrapping("data")
    }
}
// end

extension RealServer.Program {
    fileprivate static let kinto = python(["-c", "from kinto.__main__ import main; main()"], package: "kinto")
}

@Suite("Kinto", .enabled(if: RealServer.isInstalled(.kinto), "script/test --servers real"))
struct KintoTests {
    private func server(_ settings: String = "") async throws -> (RealServer, APIClient) {
        let server = try await RealServer(.kinto) { place in
            try place.write(
                """
                [server:main]
                use = egg:waitress#main
                host = 127.0.0.1
                port = %(http_port)s
                [app:main]
                use = egg:kinto
                kinto.includes = kinto.plugins.default_bucket
                kinto.storage_backend = kinto.core.storage.memory
                kinto.cache_backend = kinto.core.cache.memory
                kinto.permission_backend = kinto.core.permission.memory
                kinto.userid_hmac_secret = secret
                kinto.default_bucket_hmac_secret = secret
                multiauth.policies = basicauth
                kinto.paginate_by = 10
                \(settings)
                """, to: "kinto.ini")
            return ["start", "--ini", "\(place.folder.path)/kinto.ini", "--port", "\(place.port)"]
        }
        return (server, Self.client(server.url))
    }

    private static func client(_ url: String) -> APIClient {
        // snippet: guide-kinto
        let api = APIClient(baseURL: url + "/v1/buckets/default/collections/sightings/") {
            $0.authentication = .credential(.basic(user: "ann", password: "feather"))
            $0.json = JSONCoding(keys: .snakeCase)
        }
        // end
        return api
    }

    @Test(
        "records with versions: a change of an old one is a 412, in the server's words: C5, E11",
        .timeLimit(.minutes(15)))
    func versions() async throws {
        let (server, api) = try await server()
        var tern = try await api.send(.create(Sighting(species: "Arctic tern", count: 3)))
        let version = try #require(tern.lastModified)
        tern.count = 4
        let changed = try await api.send(.replace(tern).ifMatch("\"\(version)\""))
        #expect(changed.count == 4 && changed.lastModified ?? 0 > version)
        let late = await api.result(of: .replace(tern).ifMatch("\"\(version)\"")).failure
        #expect(late?.kind == .client(status: 412))
        #expect(late?.userMessage == "Resource was modified meanwhile")
        // What is unchanged isn't sent once more.
        let response = try await api.response(for: .sightings())
        let tag = try #require(response.head.fields[.etag])
        guard case .notModified = try await api.send(Endpoint.sightings().ifNoneMatch(tag)) else { throw Unexpected() }
        // A record that doesn't fit.
        let wrong = await api.result(of: Endpoint<Void>.post("records", body: .json(["dato": 1]))).failure
        #expect(wrong?.response?.status.code == 400)
        #expect(wrong?.problem?.detail?.hasPrefix("Unrecognized keys in mapping") == true)
        await server.stop()
    }

    @Test("pages by a field with the next one's URL, filters, and a batch: P1, U2", .timeLimit(.minutes(15)))
    func pages() async throws {
        let (server, api) = try await server()
        let root = APIClient(baseURL: server.url + "/v1/") {
            $0.authentication = .credential(.basic(user: "ann", password: "feather"))
        }
        _ = try await api.send(.create(Sighting(species: "avocet", count: 0)))
        let requests = (1...24).map { number in
            JSONValue.object([
                "method": "POST", "path": "/v1/buckets/default/collections/sightings/records",
                "body": ["data": ["species": "tern", "count": .integer(Int64(number))]],
            ])
        }
        let batch = Endpoint<[JSONValue]>.post("batch", body: .json(["requests": JSONValue.array(requests)]))
            .unwrapping("responses")
        #expect(try await root.send(batch).allSatisfy { $0["status"] == 201 })

        var counts: [Int] = []
        // snippet: guide-kinto-pages
        let terns = Endpoint.sightings(["species": "tern", "_sort": "count"])
        for try await sighting in api.pages(.urls(from: terns, in: "Next-Page")).elements {
            counts.append(sighting.count)
        }
        // end
        #expect(counts == Array(1...24))
        let some = try await api.send(.sightings(["min_count": 20, "species": "tern", "_limit": 3]))
        #expect(some.count == 3 && some.allSatisfy { $0.count >= 20 })
        await server.stop()
    }

    @Test("a server that asks for a pause with each response gets it: M6", .timeLimit(.minutes(15)))
    func backoff() async throws {
        let (server, _) = try await server("kinto.backoff = 1")
        // snippet: guide-kinto-backoff
        let api = APIClient(baseURL: server.url + "/v1/") { $0.rateLimit = .learned }
        // end
        let clock = ContinuousClock()
        let first = try await api.response(for: Endpoint<JSONValue>.get(""))
        let start = clock.now
        #expect(first.head.fields["Backoff"] == "1")
        _ = try await api.send(Endpoint<JSONValue>.get(""))
        // The pause began before `start`; nothing else waits that long.
        #expect(start.duration(to: clock.now) > .milliseconds(500))
        await server.stop()
    }

    @Test("a screen's list over it", .timeLimit(.minutes(15)))
    @MainActor
    func screen() async throws {
        let (server, api) = try await server()
        _ = try await api.send(.create(Sighting(species: "avocet", count: 2)))
        let loader = Loader { try await api.send(.sightings()) }
        await loader.load()
        #expect(loader.value?.map(\.species) == ["avocet"])
        await server.stop()
        await loader.refresh()
        #expect(loader.error != nil && loader.value?.count == 1)
    }
}
