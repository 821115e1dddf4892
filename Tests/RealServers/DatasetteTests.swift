import Godwit
import RealServerSupport
import Testing

// snippet: guide-datasette-model
nonisolated struct Bird: Codable, Sendable, Equatable {
    var id: Int
    var name: String
    var weight: Double
}

/// A page of rows, and the URL of the next one.
nonisolated struct Rows: Decodable, ElementPage, Sendable {
    var rows: [Bird]
    var nextUrl: String?

    var items: [Bird] { rows }
}

nonisolated extension Endpoint<Rows> {
    static func birds(size: Int) -> Self { .get("birds/bird.json", query: ["_shape": "objects", "_size": size]) }
}
// end

extension RealServer.Program {
    fileprivate static let datasette = python(["-m", "datasette"], package: "datasette")
}

@Suite(
    "datasette",
    .enabled(if: RealServer.isInstalled(.datasette), "script/test --servers real"))
struct DatasetteTests {
    private func server() async throws -> RealServer {
        try await RealServer(.datasette) { place in
            let rows = (1...2500).map { "(\($0), 'bird \($0)', \(Double($0) / 2))" }.joined(separator: ",")
            try await place.makeDatabase(
                "birds",
                "CREATE TABLE bird (id INTEGER PRIMARY KEY, name TEXT, weight REAL); INSERT INTO bird VALUES \(rows);")
            return ["serve", "\(place.folder.path)/birds.db", "-h", "127.0.0.1", "-p", "\(place.port)"]
        }
    }

    @Test("pages by the URL of the next one, and by Link: P1", .timeLimit(.minutes(15)))
    func pages() async throws {
        let server = try await server()
        let api = APIClient(baseURL: server.url) { $0.json = JSONCoding(keys: .snakeCase) }
        var ids: [Int] = []
        // snippet: guide-datasette-pages
        for try await bird in api.pages(.urls(from: .birds(size: 1000)) { $0.nextUrl }).elements {
            ids.append(bird.id)
        }
        // end
        #expect(ids == Array(1...2500))
        var counts: [Int] = []
        for try await page in api.pages(.links(from: .birds(size: 1000))) { counts.append(page.rows.count) }
        #expect(counts == [1000, 1000, 500])
        await server.stop()
    }

    @Test("all rows as lines, of JSON and of CSV, while they arrive: R1", .timeLimit(.minutes(15)))
    func rows() async throws {
        let server = try await server()
        let api = APIClient(baseURL: server.url)
        let lines = Endpoint<Void>.get("birds/bird.json", query: ["_nl": "on", "_shape": "array", "_size": 1000])
        var birds: [Bird] = []
        for try await bird in api.stream(lines).jsonLines(of: Bird.self) { birds.append(bird) }
        #expect(birds.count == 1000 && birds.last == Bird(id: 1000, name: "bird 1000", weight: 500))

        var rows: [String] = []
        // snippet: guide-datasette-csv
        for try await row in api.stream(Endpoint<Void>.get("birds/bird.csv", query: ["_stream": "on"])).lines {
            rows.append(row)
        }
        // end
        #expect(rows.count == 2501 && rows[0] == "id,name,weight" && rows[2500] == "2500,bird 2500,1250.0")
        await server.stop()
    }

    @Test("a wrong query and a table that isn't there, in the server's words: E11", .timeLimit(.minutes(15)))
    func mistakes() async throws {
        let server = try await server()
        let api = APIClient(baseURL: server.url)
        let query = Endpoint<JSONValue>.get("birds.json", query: ["sql": "select wings from bird"])
        guard case .failure(let error) = await api.result(of: query) else { throw Unexpected() }
        #expect(error.kind == .client(status: 400) && error.userMessage == "no such column: wings")
        guard case .failure(let error) = await api.result(of: Endpoint<JSONValue>.get("birds/fish.json")) else {
            throw Unexpected()
        }
        #expect(error.kind == .notFound && error.userMessage == "Table not found")
        await server.stop()
    }
}
