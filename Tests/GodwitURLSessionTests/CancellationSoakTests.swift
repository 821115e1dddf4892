import GodwitCore
import GodwitTesting
import GodwitURLSession
import Testing

/// What ends the process where it fails: alone, and long enough to meet the moment.
@Suite("URLSessionTransport, canceled at every moment", .enabled(if: isSoakWanted), .serialized)
struct CancellationSoakTests {
    @Test("T5 20,000 exchanges canceled around their end: each ends, and the process lives")
    func aroundTheEnd() async throws {
        let server = try await MockServer { _ in .text("ok") }
        let transport = try URLSessionTransport()
        let url = server.url
        var outcomes: [String: Int] = [:]
        for _ in 0..<2_500 {
            await withTaskGroup { group in
                for index in 0..<8 {
                    group.addTask {
                        let (content, arrived) = AsyncStream<Void>.makeStream()
                        var request = HTTPRequest(url: url)
                        request.options.onEvent = { _ in arrived.finish() }
                        let exchange = Task { [request] in await failure(of: request, over: transport) }
                        if index % 2 == 0 {
                            // Right behind its content, or with it.
                            for await _ in content {}
                        } else {
                            try? await Task.sleep(for: .microseconds(Int.random(in: 0..<12_000)))
                        }
                        exchange.cancel()
                        return await exchange.value?.shortDescription ?? "answered"
                    }
                }
                for await outcome in group { outcomes[outcome, default: 0] += 1 }
            }
        }
        #expect(Set(outcomes.keys) == ["answered", "cancelled"], "\(outcomes)")
        #expect(try await text(of: transport.send(HTTPRequest(url: url))) == "ok")
        await transport.shutdown(.finishing)
    }
}

private var isSoakWanted: Bool { ProcessInfo.processInfo.environment["GODWIT_TEST_SOAK"] != nil }
