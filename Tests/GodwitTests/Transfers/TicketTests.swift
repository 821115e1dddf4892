import Godwit
import GodwitTesting
import TestSupport
import Testing

@Suite("B7 tickets of paused downloads", .timeLimit(.minutes(15)))
struct TicketTests {
    private let folder = TemporaryFolder()
    private let content = Content(400_000)

    private func server() async throws -> MockServer {
        try await MockServer { [content] route in
            route.get("/a").reply { request in
                request.fields.contains(.range)
                    ? content.answer(request) : content.answer(request).throttled(bytesPerSecond: 300_000)
            }
        }
    }

    private func paused(_ server: MockServer) async throws -> DownloadTicket {
        let endpoint = Endpoint<Void>.get("a", query: ["size": "full"]).header("X-Api-Key", "s3cret")
            .header("X-Variant", "large")
        let download = APIClient.eager(server).download(endpoint, to: folder.path("a"))
        await download.reach(50_000)
        return try await download.pause()
    }

    @Test("B7 a paused download continues in another client, from a JSON ticket without secrets")
    func travel() async throws {
        let server = try await server()
        let ticket = try await paused(server)
        #expect(ticket.offset >= 50_000 && ticket.total == 400_000)
        #expect(try Data(contentsOf: ticket.partialFile) == content.data.prefix(Int(ticket.offset)))
        let json = try JSONEncoder().encode(ticket)
        #expect(!String(decoding: json, as: UTF8.self).contains("s3cret"))
        let stored = try Data(contentsOf: folder.path(".a.godwit-ticket"))
        #expect(!String(decoding: stored, as: UTF8.self).contains("s3cret"))
        let read = try JSONDecoder().decode(DownloadTicket.self, from: json)
        #expect(read == ticket)
        let download = APIClient.eager(server) { $0.defaultFields["X-Api-Key"] = "s3cret" }.resume(read)
        #expect(try await Data(contentsOf: download.file) == content.data)
        let last = try #require(server.requests.last)
        #expect(last.fields[.range] == "bytes=\(ticket.offset)-")
        #expect(last.target == "/a?size=full" && last.fields["X-Variant"] == "large")
        #expect(last.fields["X-Api-Key"] == "s3cret")
        #expect(try folder.names == ["a"])
    }

    /// What may have become of the files beside the destination.
    enum Loss: String, CaseIterable, Sendable {
        case part, halfOfPart, record, both, damagedRecord
    }

    @Test("B7 with any state of the partial file, a ticket leads to the complete content", arguments: Loss.allCases)
    func losses(loss: Loss) async throws {
        let server = try await server()
        let ticket = try await paused(server)
        let record = folder.path(".a.godwit-ticket")
        if loss == .part || loss == .both { try FileManager.default.removeItem(at: ticket.partialFile) }
        if loss == .halfOfPart { try content.data.prefix(20_000).write(to: ticket.partialFile) }
        if loss == .record || loss == .both { try FileManager.default.removeItem(at: record) }
        if loss == .damagedRecord { try Data("{}".utf8).write(to: record) }
        let expected: String? =
            switch loss {
            case .part, .both: nil
            case .halfOfPart: "bytes=20000-"
            case .record, .damagedRecord: "bytes=\(ticket.offset)-"
            }
        #expect(try await Data(contentsOf: APIClient.eager(server).resume(ticket).file) == content.data)
        #expect(server.requests.last?.fields[.range] == expected)
    }

    @Test(
        "B7 an invalid ticket says why",
        arguments: [
            (#""version":1"#, #""version":9"#, "its version, 9, is not known"),
            (#""url":"http"#, #""url":"gopher"#, "its URL cannot be used"),
            (#""offset":"#, #""offset":-1"#, "its offset makes no sense"),
            (#""destination":"\/"#, #""destination":"x\/"#, "its destination is not an absolute path"),
            (#"{"#, #"{,"#, ""),
        ])
    func damaged(found: String, replacement: String, reason: String) async throws {
        let server = try await server()
        let json = String(decoding: try JSONEncoder().encode(try await paused(server)), as: UTF8.self)
        let start = try #require(json.firstRange(of: found))
        let bad = json[..<start.lowerBound] + replacement + json[start.upperBound...]
        #expect {
            _ = try JSONDecoder().decode(DownloadTicket.self, from: Data(bad.utf8))
        } throws: { error in
            guard case DecodingError.dataCorrupted(let context) = error else { return false }
            return context.debugDescription.contains(reason)
        }
    }

    @Test("B7 a ticket for another origin is rejected before anything is sent")
    func otherOrigin() async throws {
        let (server, other) = (try await server(), try await server())
        let ticket = try await paused(server)
        let error = await APIClient.eager(other).resume(ticket).failure()
        guard case .invalidRequest = error?.kind else { Issue.record("\(String(describing: error))"); return }
        #expect(other.requestCount == 0)
    }

    @Test("B7 a complete download can't be paused; a failed one returns its ticket")
    func ends() async throws {
        let server = try await MockServer { [content] route in
            route.get("/a").reply { content.answer($0) }
            route.get("/cut").reply { content.answer($0, cutAfter: 1000) }
        }
        let api = APIClient.eager(server)
        let complete = api.download(Endpoint<Void>.get("a"), to: folder.path("a"))
        _ = try await complete.file
        await #expect(throws: NetworkError.self) { _ = try await complete.pause() }
        let failed = api.download(Endpoint<Void>.get("cut").retry(.never), to: folder.path("b"))
        #expect(await failed.failure() != nil)
        #expect(try await failed.pause().offset == 1000)
    }
}
