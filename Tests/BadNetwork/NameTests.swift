import Godwit
import GodwitTesting
import PeerSupport
import Testing

extension BadNetwork {
    @Suite("Names that can't be resolved", .timeLimit(.minutes(15)))
    struct Names {
        @Test("T12 a name without addresses throws .cannotResolveHost, and other calls continue")
        func unknown() async throws {
            let server = try await MockServer { $0.any("*").reply(.text("ok")) }
            let transport = try Subject.sockets.make()
            let url = try HTTPURL("http://no-such-name.invalid/")
            let failures = Task {
                await withTaskGroup { group in
                    for _ in 0..<20 { group.addTask { await transport.failure(of: .get(url))?.kind } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
            }
            for _ in 0..<20 { #expect(try await text(of: transport.get(server.url)) == "ok") }
            let kinds = await failures.value
            #expect(kinds.count == 20)
            for kind in kinds {
                let isNamed = kind == .transport(.cannotResolveHost("no-such-name.invalid"))
                // Without any name server the system may take longer than the limit.
                #expect(isNamed || kind == .timedOut(.connect), "\(String(describing: kind))")
            }
        }

        @Test("T12 a lookup that doesn't end in time throws .timedOut(.connect), and is abandoned")
        func slow() async throws {
            let server = try await MockServer { $0.any("*").reply(.text("ok")) }
            let transport = try Subject.sockets.make()
            let clock = ContinuousClock()
            let start = clock.now
            let url = try HTTPURL("http://slow-name.invalid/")
            let error = await transport.failure(of: .get(url) { $0.options.timeouts.connect = .milliseconds(1) })
            let isNamed = error?.kind == .transport(.cannotResolveHost("slow-name.invalid"))
            #expect(isNamed || error?.kind == .timedOut(.connect), "\(String(describing: error))")
            #expect(clock.now - start < .seconds(5))
            #expect(try await text(of: transport.get(server.url)) == "ok")
        }
    }
}
