import Foundation
import Godwit
import GodwitTesting
import Testing

@Suite("E11 errors in code that handles only any Error")
struct LocalizedErrorTests {
    @Test("E11 an error's localizedDescription is the user message, its failure reason the description")
    func described() async throws {
        let mock = MockTransport { $0.any("*").reply(json: ["message": "The name is taken"], status: .conflict) }
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: mock)
        let error: any Error = try #require(throws: NetworkError.self) {
            throw NetworkError(.notFound, phase: .validating)
        }
        #expect(error.localizedDescription == UserMessages.current[.notFound])
        do {
            try await api.send(Endpoint<Void>.post("users"))
            Issue.record("nothing was thrown")
        } catch let error as any Error {
            #expect(error.localizedDescription == "The name is taken")
            #expect((error as NSError).localizedDescription == "The name is taken")
            #expect(
                (error as NSError).localizedFailureReason?.hasPrefix(
                    "HTTP 409 from POST https://api.example.com/v1/users: The name is taken") == true)
        }
        let cancelled: any Error = NetworkError(.cancelled, phase: .sending)
        #expect(cancelled.localizedDescription == UserMessages.current[.cancelled])
    }

    @Test("E11 if the server's message replaces our advice, the advice is the recovery suggestion")
    func suggestion() async throws {
        let mock = MockTransport {
            $0.any("*").reply(
                .json(["message": "Your plan allows 10 calls a day"], status: .tooManyRequests).field(
                    .retryAfter, "600"))
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) { $0.retry.maximumAttempts = 1 }
        let error = try #require(
            await #expect(throws: NetworkError.self) { try await api.send(Endpoint<Void>.get("a")) })
        #expect(error.localizedDescription == "Your plan allows 10 calls a day")
        #expect(error.recoverySuggestion == error.userMessageWithoutServer)
        #expect(NetworkError(.unauthorized, phase: .sending).recoverySuggestion == nil)
    }

    @Test("E11 the library's other errors have descriptions too")
    func others() {
        let errors: [any Error & CustomStringConvertible] = [
            OAuthError(code: "access_denied", detail: "no"), TokenStoreError.notAFile(path: "/a"),
        ]
        for error in errors { #expect((error as any Error).localizedDescription == error.description) }
    }
}

extension NetworkError {
    /// The same failure of a server that says nothing.
    fileprivate var userMessageWithoutServer: String? {
        NetworkError(kind, phase: phase).userMessage
    }
}
