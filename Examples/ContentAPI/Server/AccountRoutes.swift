import Godwit
import GodwitTesting

/// `/v1/auth` and `/v1/me`, and the check of access tokens for all routes added later.
nonisolated struct AccountRoutes {
    let accounts: Accounts
    let store: ContentStore

    private struct Login: Decodable {
        let name: String
        let password: String
    }

    private struct Refresh: Decodable {
        let refreshToken: String
    }

    func add(to route: MockRoutes) {
        let (accounts, store) = (accounts, store)
        // The first matching route responds, so this one comes before all that it protects.
        route.any("*").where { accounts.refusal(of: $0) != nil }.answer { request throws(Problem) in
            (accounts.refusal(of: request)?.response ?? .status(.unauthorized))
                .field("WWW-Authenticate", "Bearer error=\"invalid_token\"")
        }
        route.post("/v1/auth/login").answer { request throws(Problem) in
            let login = try request.value(Login.self)
            let users = await store.allUsers()
            return .coded(try accounts.signIn(login.name, password: login.password, users: users)).uncached()
        }
        route.post("/v1/auth/refresh").answer { request throws(Problem) in
            .coded(try accounts.refresh(try request.value(Refresh.self).refreshToken)).uncached()
        }
        route.post("/v1/auth/logout").answer { request throws(Problem) in
            accounts.signOut(request)
            return .status(.noContent)
        }
        route.get("/v1/me").answer { request throws(Problem) in
            guard let user = accounts.user(of: request) else { throw Problem.missing("user", "me") }
            return .coded(try await store.user(user))
        }
    }
}

nonisolated extension MockResponse {
    fileprivate func uncached() -> MockResponse {
        field(.cacheControl, "no-store")
    }
}
