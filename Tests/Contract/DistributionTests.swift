import Godwit
import GodwitHTTP3
import GodwitTesting
import Testing

/// What differs with the libraries of a distribution, and must have words instead of failing later.
@Suite("I9 The libraries of a distribution", .timeLimit(.minutes(15)))
struct DistributionTests {
    @Test("I9 T15 without a libcurl that can do HTTP/3, there is a reason in words, and calls use the other versions")
    func http3() async throws {
        let server = try await MockServer { $0.get("/").reply(.text("tern")) }
        let transport = try HTTP3Transport()
        let api = APIClient(baseURL: server.url, transport: transport)
        #expect(try await api.send(Endpoint<String>.get("")) == "tern")
        await transport.shutdown(.finishing)
        await server.stop()
        guard let fault = HTTP3Transport.fault else { return }
        // Such as Debian's: "libcurl 7.88.1: 8.23 or later is needed for HTTP/3".
        #expect(fault.contains("libcurl") && fault.contains(": "), "\(fault)")
        let error = #expect(throws: NetworkError.self) { try HTTP3Transport { $0.mode = .only } }
        guard case .unsupported(let feature, let library)? = error?.kind else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(
            fault.hasPrefix("\(library): ") && feature == "HTTP/3 (\(fault.dropFirst(library.count + 2)))", "\(fault)")
    }
}
