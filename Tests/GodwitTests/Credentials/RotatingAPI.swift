import Godwit
import GodwitTesting

/// A server on real sockets that rotates tokens: a refresh invalidates the access and the refresh token of before.
final class RotatingAPI: Sendable {
    private struct State: Sendable {
        var generation = 1
        var refreshes = 0
        var refusals = 0
        var accepts = true
    }

    private let state = Watched(State())
    private let gate = Watched(false)

    /// How many refreshes were asked for.
    var refreshCount: Int { state.value.refreshes }

    /// What it accepts now.
    var access: String { "access-\(state.value.generation)" }
    var refresh: String { "refresh-\(state.value.generation)" }

    /// From now on it accepts no access token, and no refresh.
    func revoke() {
        state.update { $0.accepts = false }
    }

    /// Lets refreshes be answered.
    func openGate() {
        gate.update { $0 = true }
    }

    /// Waits until so many requests were refused and a refresh is under way.
    func wait(forRefusals count: Int) async throws {
        try await state.wait { $0.refusals >= count && $0.refreshes > 0 }
    }

    func start() async throws -> MockServer {
        try await MockServer { [self] routes in
            routes.post("/token").reply { request in
                self.state.update { $0.refreshes += 1 }
                try await self.gate.wait { $0 }
                return self.refreshed(by: request.text)
            }
            routes.get("/articles").reply { request in
                let isCurrent = request.fields[.authorization] == "Bearer \(self.access)"
                if isCurrent, self.state.value.accepts { return .text("welcome") }
                self.state.update { $0.refusals += 1 }
                return .text("who?", status: .unauthorized)
            }
        }
    }

    private func refreshed(by form: String) -> MockResponse {
        let isCurrent = form.contains("refresh_token=\(refresh)&")
        guard isCurrent, state.value.accepts else { return .json(["error": "invalid_grant"], status: .badRequest) }
        state.update { $0.generation += 1 }
        return .json(["access_token": .string(access), "refresh_token": .string(refresh), "token_type": "bearer"])
    }
}
