import GodwitCore
import GodwitTesting
import Synchronization

/// A server that rotates tokens: a refresh invalidates the access and the refresh token of before.
final class RotatingServer: Sendable {
    private struct State: Sendable {
        var generation = 1
        var refreshes = 0
        var accepts = true
    }

    private let state = Watched(State())
    private let gate = Watched(false)

    /// How many refreshes were asked for.
    var refreshCount: Int { state.value.refreshes }

    /// What it accepts now.
    var access: String { "access-\(state.value.generation)-s3cret" }
    var refresh: String { "refresh-\(state.value.generation)-s3cret" }

    /// From now on it accepts no access token, and no refresh.
    func revoke() {
        state.update { $0.accepts = false }
    }

    /// Lets refreshes be answered.
    func openGate() {
        gate.update { $0 = true }
    }

    func waitForRefresh() async throws {
        try await state.wait { $0.refreshes > 0 }
    }

    /// Answers resources by the bearer token, and `/refresh` by the refresh token in the body.
    func transport() -> MockTransport {
        MockTransport { [self] routes in
            routes.post("/refresh").reply { request in
                self.state.update { $0.refreshes += 1 }
                try await self.gate.wait { $0 }
                return self.refreshed(by: request.text)
            }
            routes.any("/*").reply { request in
                let isCurrent = request.fields[.authorization] == "Bearer \(self.access)"
                return isCurrent && self.state.value.accepts ? .text("welcome") : .text("who?", status: .unauthorized)
            }
        }
    }

    private func refreshed(by token: String) -> MockResponse {
        guard token == refresh, state.value.accepts else {
            return .text(#"{"error":"invalid_grant"}"#, status: .badRequest)
        }
        state.update { $0.generation += 1 }
        return .text("\(access) \(refresh)")
    }

    /// A refresher that uses this server over a separate transport, with a token that has become invalid.
    func refresher(over transport: some HTTPTransport, store: some TokenStore) -> TokenRefresher {
        TokenRefresher(store: store) { old in
            let body = HTTPBody.bytes(Data((old.refresh ?? "").utf8))
            let url = try HTTPURL("https://api.example.com/refresh")
            let response = try await transport.send(HTTPRequest(method: .post, url: url, body: body))
            guard response.head.status.isSuccessful else {
                var error = NetworkError(.client(status: response.head.status.code), phase: .validating)
                error.body = try await response.body.collect(upTo: 1 << 10)
                throw error
            }
            let words = try await response.body.text().split(separator: " ").map(String.init)
            return AccessToken(access: words[0], refresh: words[1])
        }
    }
}
