import Godwit
import GodwitTesting
import TestSupport
import Testing

@Suite("B7 servers that answer a range with status 200", .timeLimit(.minutes(15)))
struct UnmarkedPartTests {
    private static let size = 4_300_000

    private let folder = TemporaryFolder()
    private let content = Content(Self.size)

    private func server(_ answer: @escaping @Sendable (MockRequest) throws -> MockResponse) async throws -> MockServer {
        try await MockServer { $0.get("/a").reply(answer) }
    }

    private func download(_ server: MockServer, _ configure: (inout DownloadOptions) -> Void = { _ in }) -> Download {
        APIClient.eager(server).download(Endpoint<Void>.get("a"), to: folder.path("a"), configure: configure)
    }

    @Test("B7 parts with status 200 and Content-Range are joined to the whole", arguments: [1, 4])
    func parts(connections: Int) async throws {
        let turn = Turn()
        let server = try await server { [content] request in
            var response = content.answer(request, cutAfter: turn.next() == 0 ? 500_000 : nil)
            response.status = .ok
            return response
        }
        let file = try await download(server) { $0.parallelRanges = connections }.file
        #expect(try Data(contentsOf: file) == content.data)
        #expect(server.requests.count { $0.fields[.range] != nil } >= 1)
    }

    @Test("B7 a part without the entity tag of what is there isn't joined to it", arguments: [1, 4])
    func untagged(connections: Int) async throws {
        let (turn, other) = (Turn(), Content(Self.size, seed: 2))
        let server = try await server { [content] request in
            if turn.next() == 0 { return content.answer(request, cutAfter: 500_000) }
            var response = other.answer(request)
            response.fields.remove(.etag)
            return response
        }
        let file = try await download(server) { $0.parallelRanges = connections }.file
        #expect(try Data(contentsOf: file) == other.data)
    }

    @Test("B7 a part that nobody asked for is an error, and no file")
    func unasked() async throws {
        let server = try await server { [content] _ in
            var response = MockResponse.bytes(content.data.prefix(1000))
            response.fields = [.contentRange: "bytes 0-999/\(Self.size)", .etag: content.etag]
            return response
        }
        guard case .invalidResponse = await download(server).failure()?.kind else {
            Issue.record("no error")
            return
        }
        #expect(try folder.names == [])
    }

    @Test("B7 a smaller content with the same entity tag is an error, and no file", arguments: [1, 4])
    func twoSizes(connections: Int) async throws {
        let turn = Turn()
        let server = try await server { [content] request in
            if turn.next() == 0 { return content.answer(request, cutAfter: 500_000) }
            var response = MockResponse.bytes(content.data.prefix(1 << 20))
            response.fields[.etag] = content.etag
            return response
        }
        let error = await download(server) { $0.parallelRanges = connections }.failure()
        guard case .invalidResponse = error?.kind else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(try !folder.names.contains("a"))
    }

    @Test("B7 a part isn't taken for the size of a file that exists")
    func existing() async throws {
        try content.data.prefix(1000).write(to: folder.path("a"))
        let server = try await server { [content] _ in
            var response = MockResponse.bytes(content.data.dropFirst(1000).prefix(1000))
            response.fields = [.contentRange: "bytes 1000-1999/\(Self.size)", .etag: content.etag]
            return response
        }
        guard case .file = await download(server, { $0.existingFile = .keepIfComplete }).failure()?.kind else {
            Issue.record("no error")
            return
        }
    }
}
