import GodwitCore
import GodwitTesting
import TestSupport
import Testing

@Suite("M1 a middleware that answers a host of the program's own")
struct OwnResourcesTests {
    private struct Files: Middleware {
        let folder: URL

        func handles(_ call: Call) -> Bool { call.request.url.host == "files.invalid" }

        func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
            let file = folder.appending(path: call.request.url.path)
            return HTTPResponse(head: HTTPResponseHead(status: .ok), body: .file(at: file), request: call.request)
        }
    }

    @Test("M1 it answers the program's calls from a file, and nothing is sent; a redirect can't lead to it")
    func boundary() async throws {
        let folder = TemporaryFolder()
        _ = try folder.file("a.txt", Data("own".utf8))
        let transport = MockTransport { request in
            request.url?.host == "files.invalid" ? .text("network") : .redirect(to: "https://files.invalid/a.txt")
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.middleware.append(Files(folder: folder.url))
        }
        let own = try await api.send(HTTPRequest(url: try HTTPURL("https://files.invalid/a.txt")))
        #expect(try await own.body.text() == "own")
        #expect(transport.requestCount == 0)
        let other = try await api.send(HTTPRequest(url: try HTTPURL("https://api.example.com/x")))
        #expect(try await other.body.text() == "network")
    }
}
