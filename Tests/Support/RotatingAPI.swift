package import GodwitCore
package import GodwitTesting

/// A server that rotates tokens: a refresh invalidates the access and the refresh token of before.
package final class RotatingAPI: Sendable {
    private struct State: Sendable {
        var generation = 1
        var refreshes = 0
        var refusals = 0
        var accepts = true
        var isOpen = false
    }

    private let state = Watched(State())
    private let refusals: Int

    /// - Parameter refusals: How many requests must be refused before a refresh is answered, unless the gate is open.
    package init(waitingFor refusals: Int = .max) { self.refusals = refusals }

    /// How many refreshes were asked for.
    package var refreshCount: Int { state.value.refreshes }

    /// What it accepts now.
    package var token: AccessToken { AccessToken(access: access, refresh: refresh, type: "bearer") }
    private var access: String { "access-\(state.value.generation)" }
    package var refresh: String { "refresh-\(state.value.generation)" }

    /// From now on it accepts no access token, and no refresh.
    package func revoke() {
        state.update { $0.accepts = false }
    }

    /// Lets refreshes be answered.
    package func openGate() {
        state.update { $0.isOpen = true }
    }

    /// Waits until so many requests were refused and a refresh is under way.
    package func wait(forRefusals count: Int) async throws {
        try await state.wait { $0.refusals >= count && $0.refreshes > 0 }
    }

    package func start() async throws -> MockServer { try await MockServer(routes: routes) }

    package func transport() -> MockTransport { MockTransport(routes: routes) }

    /// Answers `/articles` by the bearer token, and `/token` by the refresh token.
    private func routes(_ routes: MockRoutes) {
        routes.post("/token").reply { [self] request in
            state.update { $0.refreshes += 1 }
            try await state.wait { $0.isOpen || $0.refusals >= self.refusals }
            guard request.text.contains("refresh_token=\(refresh)&"), state.value.accepts else {
                return .json(["error": "invalid_grant"], status: .badRequest)
            }
            state.update { $0.generation += 1 }
            return .json(["access_token": .string(access), "refresh_token": .string(refresh), "token_type": "bearer"])
        }
        routes.get("/articles").reply { [self] request in
            if request.fields[.authorization] == "Bearer \(access)", state.value.accepts { return .text("welcome") }
            state.update { $0.refusals += 1 }
            return .text("who?", status: .unauthorized)
        }
    }
}
