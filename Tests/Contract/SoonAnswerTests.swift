import Godwit
import PeerSupport
import TestSupport
import Testing

@Suite("Contract: answers that come soon", .timeLimit(.minutes(15)), .enabled(if: Nginx.isRunning, Nginx.hint))
struct SoonAnswerTests {
    @Test(
        "T2 a caller that is alone gets each answer of a server nearby, whatever comes between them",
        arguments: Subject.allCases, [Nginx.http, .h2])
    func soon(_ subject: Subject, _ server: Nginx) async throws {
        let transport = try subject.makeTrusting()
        let small = try server.at("/1k.json")
        for _ in 0..<10 {
            for _ in 0..<20 { #expect(try await size(of: transport.get(small)) == 1024) }
            #expect(try await size(of: transport.send(HTTPRequest(method: .head, url: small))) == 0)
            #expect(try await size(of: transport.get(server.at("/1m.bin"))) == 1 << 20)
            #expect(try await transport.get(server.at("/nothing")).head.status == .notFound)
            #expect(try await size(of: transport.send(HTTPRequest(url: small, delivery: .streamed))) == 1024)
            for _ in 0..<20 { #expect(try await size(of: transport.get(small)) == 1024) }
            // The transport may be quicker than the cancellation.
            let canceled = Task { await transport.failure(of: .get(small)) }
            canceled.cancel()
            #expect([nil, .cancelled].contains(await canceled.value?.kind))
            for _ in 0..<20 { #expect(try await size(of: transport.get(small)) == 1024) }
            async let first = size(of: transport.get(small))
            async let second = size(of: transport.get(small))
            #expect(try await [first, second] == [1024, 1024])
            // What is dropped unread must not harm the next one.
            _ = try await transport.send(HTTPRequest(url: server.at("/1m.bin"), delivery: .streamed))
        }
    }

    private func size(of response: HTTPResponse) async throws(NetworkError) -> Int {
        try await response.body.collect(upTo: 2 << 20).count
    }
}
