import GodwitCore
import GodwitTesting
import TestSupport
import Testing

@Suite("M3 what a recorder keeps until its texts are made", .timeLimit(.minutes(15)))
struct ObservedExchangeTests {
    private final class Token: Sendable {}

    private func entries(_ recorder: HARRecorder) throws -> [Archive.Entry] {
        try JSONDecoder().decode(Archive.self, from: recorder.data()).log.entries
    }

    @Test("M3 nothing that a request refers to stays alive with its entry", arguments: [nil, "hello"])
    func released(body: String?) async throws {
        let recorder = HARRecorder()
        weak var kept: Token?
        do {
            let token = Token()
            kept = token
            var request = HTTPRequest(
                method: .post, url: try HTTPURL("https://a.com/1"), body: body.map { .bytes(Data($0.utf8)) })
            request.options.onEvent = { [token] _ in _ = token }
            _ = try await Chain([recorder], over: ScriptedTransport(200, "hi")).send(request)
        }
        #expect(kept == nil)
        #expect(try entries(recorder).first?.request.bodySize == body?.utf8.count ?? 0)
    }

    @Test("M3 a secret that a middleware adds, and the server repeats, isn't shown", arguments: [nil, "hello"])
    func repeated(body: String?) async throws {
        let recorder = HARRecorder()
        let adding = Adding()
        let transport = ScriptedTransport(200, "", ["X-Echo": "you sent s3cretvalue9", .location: "/s3cretvalue9"])
        _ = try await Chain([recorder, adding], over: transport).send(
            HTTPRequest(
                method: .post, url: try HTTPURL("https://a.com/1"), body: body.map { .bytes(Data($0.utf8)) }))
        let text = String(decoding: try recorder.data(), as: UTF8.self)
        #expect(!text.contains("s3cretvalue9") && text.contains("you sent <redacted>"))
    }

    private struct Adding: Middleware {
        func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
            var call = call
            call.request.fields[.authorization] = "Bearer s3cretvalue9"
            return try await next(call)
        }
    }
}
