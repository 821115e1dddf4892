import Godwit
import GodwitTesting
import GodwitUI
import TestSupport
import Testing

@Suite("V5 files of an outbox", .timeLimit(.minutes(15)))
@MainActor
struct OutboxFileTests {
    @Test("V5 a file that an earlier version has written is sent, in the order of its scope")
    func earlierVersion() async throws {
        let (server, folder) = (NoteServer(), TemporaryFolder())
        let queries = QueryStore(server.client())
        func outbox() throws -> Outbox {
            try Outbox(queries, in: folder.url, for: "ann", sending: [MarkNote.self])
        }
        await (try outbox()).close()
        let user = try #require(try folder.names.first)
        for (number, mark) in [(1, 7), (2, 8)] {
            let mutation = Data(#"{"note":1,"mark":\#(mark),"isConditional":false}"#.utf8).base64EncodedString()
            let record = #"""
                {"name":"MarkNote","order":"note 1","date":800000000,"mutation":"\#(mutation)","key":"key-\#(mark)"}
                """#
            let name = "\(number)-00000000-0000-4000-8000-00000000000\(number).json"
            let path = folder.url.appending(path: user).appending(path: name).path
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
            #expect(FileManager.default.createFile(atPath: path, contents: Data(record.utf8), attributes: attributes))
        }
        server.hold()
        let next = try outbox()
        #expect(next.items.map(\.needsDecision) == [false, false])
        try await server.waitForRequests(1)
        for _ in 0..<50 { await Task.yield() }
        #expect(server.log.count == 1 && server.state.value.exchanges[0].request.fields[.idempotencyKey] == "key-7")
        server.release()
        await until { next.items.isEmpty }
        #expect(server.state.value.notes[1]?.marks == [7, 8])
        await next.close()
    }
}
