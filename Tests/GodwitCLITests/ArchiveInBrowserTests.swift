#if canImport(Glibc)
import Glibc
import Godwit
import GodwitTesting
import TestSupport
import Testing

/// Asked for by `script/test --browser`, which installs the browser.
private let browser = ProcessInfo.processInfo.environment["GODWIT_TEST_BROWSER"]

@Suite("M3 HTTP archives in a browser's developer tools", .enabled(if: browser != nil), .timeLimit(.minutes(15)))
struct ArchiveInBrowserTests {
    /// What the network log of Chromium's developer tools has of a request.
    private struct Row: Decodable {
        let method: String, url: String, status: Int, version: String, type: String
        let size: Int, milliseconds: Double, sent: String, content: String, fields: [String]
    }

    private static let image = Data([0x89, 0x50, 0xFF, 0x00])

    @Test("M3 Chromium imports requests, contents, redirects and failures, and shows no secret")
    func imported() async throws {
        let server = try await MockServer { route in
            route.get("/old").reply(.redirect(to: "/text"))
            route.get("/text").reply(.text("Ebb änd flow"))
            route.get("/image").reply(MockResponse(fields: ["Content-Type": "image/png"], body: .bytes(Self.image)))
            route.post("/notes").reply(.status(.created))
        }
        var options = HAROptions()
        options.bodyLimit = 1 << 10
        let recorder = HARRecorder(options: options)
        try await makeCalls(to: server, recording: recorder)
        let rows = try await opened(recorder)
        #expect(rows.map(\.method) == ["GET", "GET", "GET", "POST", "GET"])
        #expect(rows.map(\.status) == [302, 200, 200, 201, 0])
        #expect(rows[0].url.hasSuffix("/old?token=<redacted>"))
        #expect(rows[1].content == "Ebb änd flow" && rows[1].type.hasPrefix("text/plain"))
        #expect(rows[1].size == 13 && rows[1].milliseconds > 0 && rows[1].version == "http/1.1")
        #expect(rows[2].content == Self.image.base64EncodedString() && rows[2].type == "image/png")
        #expect(rows[3].sent == #"{"title":"Neap"}"#)
        #expect(rows[1].fields.contains("Content-Type"))
    }

    private func makeCalls(to server: MockServer, recording recorder: HARRecorder) async throws {
        let api = APIClient(baseURL: server.url) {
            $0.recorder = recorder
            $0.retry.maximumAttempts = 1
        }
        _ = try await api.send(Endpoint<Data>.get("old", query: ["token": "s3cret"]))
        _ = try await api.send(Endpoint<Data>.get("image"))
        try await api.send(Endpoint<Void>.post("notes", body: .json(["title": "Neap"])))
        await server.stop()
        await #expect(throws: NetworkError.self) { try await api.send(Endpoint<Void>.get("text")) }
    }

    private func opened(_ recorder: HARRecorder) async throws -> [Row] {
        let folder = TemporaryFolder()
        let archive = folder.url.appending(path: "calls.har")
        try recorder.save(to: archive)
        let script = URL(filePath: #filePath).appending(path: "../../../script/browser.d/network_log.py").standardized
        let tools = try SpawnedProgram(line: ["/usr/bin/python3", script.path, browser ?? "", archive.path])
        tools.feed("")
        let log = await tools.standardOutput()
        let complaint = await tools.standardError()
        #expect(await tools.exitCode() == 0, "\(complaint)")
        return try JSONDecoder().decode([Row].self, from: log)
    }
}
#endif
