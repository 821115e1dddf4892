import Godwit

nonisolated extension Tour {
    static let accountSteps = [
        TourStep(name: "sign in") { api in
            let reader = try Self.reader(api)
            try await reader.signIn(reader.send(.signIn(Login(name: "ada", password: "tides"))).token)
            let me = try await reader.send(.me)
            try expect(me.name == "Ada", "signed in as \(me.name)")
            let error = try await failure { () throws(NetworkError) in try await api.send(.me) }
            try expect(error.kind == .unauthorized, "expected 401 without a token, got \(error)")
            try await reader.signOut()
            return "as \(me.name), by an access token that only this client sends; then signed out"
        },
        TourStep(name: "refresh") { api in
            let reader = try Self.reader(api)
            let pair = try await reader.send(.signIn(Login(name: "ben", password: "tides")))
            // The server doesn't know this access token, so it refuses it as if it had expired.
            try await reader.signIn(AccessToken(access: "expired", refresh: pair.token.refresh))
            let names = try await (1...5).concurrentMap(limit: 5) { _ in try await reader.send(.me).name }
            try expect(names == Array(repeating: "Ben", count: 5), "answers for \(names)")
            return "5 calls with an expired token share one refresh, and all succeed"
        },
        TourStep(name: "cookies") { api in
            let preferences = Endpoint<[String: String]>.get("preferences")
            try await api.send(Endpoint<Void>.put("preferences", body: .json(["theme": "dark"])))
            let theme = try await api.send(preferences)["theme"]
            try expect(theme == "dark", "the server read \(theme ?? "nothing")")
            let without = try await api.send(preferences.cookies(.off))["theme"]
            try expect(without == "system", "a request without cookies got \(without ?? "nothing")")
            return "the server's cookie comes back with the next request; without cookies it doesn't"
        },
    ]

    /// A client with an account, for the same API.
    private static func reader(_ api: APIClient) throws(NetworkError) -> APIClient {
        let base = try api.request(for: Endpoint<Void>.get("")).url
        return APIClient(baseURL: base, preset: .reader(tokens: MemoryTokenStore()))
    }
}
