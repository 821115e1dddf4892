import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

@Suite("Contract: JSON value by value", .timeLimit(.minutes(15)))
struct JSONValuesTests {
    private struct Item: Codable, Sendable, Equatable {
        var id: Int
        var text: String
    }

    @Test("J2 elements arrive while the rest of the document is still missing", arguments: Subject.allCases)
    func early(_ subject: Subject) async throws {
        let start = Data(#"{"total":9,"items":[{"id":1,"text":"ü"},{"id":"#.utf8)
        let source = Source(start, times: 1, then: .wait)
        let server = try await MockServer { $0.get("/export").reply { _ in .stream(once: source) } }
        let api = APIClient(baseURL: server.url, transport: try subject.make())
        let items = api.stream(Endpoint<Data>.get("export")).elements(of: Item.self, at: "items")
        for try await item in items {
            #expect(item == Item(id: 1, text: "ü"))
            break
        }
        try await source.record.wait { $0.isReleased }
    }

    @Test(
        "J2 memory stays flat however long an array is",
        .disabled(if: ScriptCheck.isSanitized, "AddressSanitizer keeps what is freed"), arguments: Subject.allCases)
    func flat(_ subject: Subject) async throws {
        await #expect(processExitsWith: .success) { [subject] in
            let server = try await MockServer {
                $0.get("/export").reply { _ in .stream(once: LargeArray(count: 4096)) }
            }
            let api = APIClient(baseURL: server.url, transport: try subject.make())
            let before = Usage.now().memory
            var count = 0
            for try await text in api.stream(Endpoint<Data>.get("export")).elements(of: String.self, at: "items") {
                #expect(text.utf8.count == 16 << 10)
                count += 1
            }
            #expect(count == 4096)
            let growth = Usage.now().memory - before
            #expect(growth < 30 << 20, "\(growth)")
        }
    }

    @Test(
        "J2 an array is sent while it is made, in flat memory",
        .disabled(if: ScriptCheck.isSanitized, "AddressSanitizer keeps what is freed"), arguments: Subject.allCases)
    func upload(_ subject: Subject) async throws {
        await #expect(processExitsWith: .success) { [subject] in
            var options = MockServer.Options()
            options.bodyLimit = 1 << 10
            let server = try await MockServer(options) { $0.post("/import").reply(.text("ok")) }
            let api = APIClient(baseURL: server.url, transport: try subject.make())
            let before = Usage.now().memory
            let texts = repeatElement(String(repeating: "a", count: 16 << 10), count: 4096)
            _ = try await api.send(Endpoint<Data>.post("import", body: .jsonArray(texts)))
            let count = server.requests.last?.bodyByteCount
            #expect(count == 67_121_153)
            let growth = Usage.now().memory - before
            #expect(growth < 30 << 20, "\(growth)")
        }
    }

    @Test("J2 an array and JSON lines arrive as they were sent, and can be read back", arguments: Subject.allCases)
    func roundTrip(_ subject: Subject) async throws {
        let server = try await MockServer { $0.post("/echo").reply { .bytes($0.body) } }
        let api = APIClient(baseURL: server.url, transport: try subject.make())
        let items = (0..<3000).map { Item(id: $0, text: String(repeating: "é", count: $0 % 50)) }
        var received: [Item] = []
        let array = Endpoint<Data>.post("echo", body: .jsonArray(items))
        for try await item in api.stream(array).elements(of: Item.self) { received.append(item) }
        #expect(received == items)
        received = []
        let lines = Endpoint<Data>.post("echo", body: .jsonLines(items))
        for try await item in api.stream(lines).jsonLines(of: Item.self) { received.append(item) }
        #expect(received == items)
        #expect(server.requests.map { $0.fields[.contentType] } == ["application/json", "application/x-ndjson"])
        #expect(server.requests.allSatisfy { $0.fields[.transferEncoding] == "chunked" })
    }

    @Test("J2 a value that can't be encoded ends the request with .encoding, once", arguments: Subject.allCases)
    func wrongValue(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        let transport = try subject.make()
        let api = APIClient(baseURL: server.url, transport: transport)
        let values = Array(repeating: 1.5, count: 50_000) + [Double.infinity]
        do throws(NetworkError) {
            _ = try await api.send(Endpoint<Data>.put("import", body: .jsonArray(values)))
            Issue.record("nothing was thrown")
        } catch {
            guard case .encoding(let reason) = error.kind else { throw error }
            #expect(reason.hasSuffix("(value 50001)"))
        }
        #expect(server.requests.allSatisfy { $0.arrival != .complete })
        #expect(server.requests.count <= 1)
        #expect(try await transport.stillWorks(with: server))
    }
}

/// An object with an array of long texts, made as it is sent.
private struct LargeArray: AsyncSequence, Sendable {
    typealias Element = Data

    let count: Int

    func makeAsyncIterator() -> Iterator {
        Iterator(count: count, text: Data("\"\(String(repeating: "a", count: 16 << 10))\"".utf8))
    }

    struct Iterator: AsyncIteratorProtocol {
        let count: Int
        let text: Data
        var index = 0

        mutating func next() async -> Data? {
            defer { index += 1 }
            if index == 0 { return Data("{\"items\":[".utf8) + text }
            if index < count { return Data(",".utf8) + text }
            return index == count ? Data("]}".utf8) : nil
        }
    }
}
