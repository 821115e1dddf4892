public import Godwit

// Signing in, and what belongs to the account.
extension Endpoint {
    public static func signIn(_ login: Login) -> Endpoint<TokenPair> {
        .post("auth/login", body: .json(login)).unauthenticated()
    }

    public static func refresh(_ old: AccessToken) -> Endpoint<TokenPair> {
        .post("auth/refresh", body: .json(["refresh_token": old.refresh])).unauthenticated()
    }

    public static var signOut: Endpoint<Void> {
        // The user shouldn't wait for a server that doesn't respond.
        .post("auth/logout").timeout(.seconds(5))
    }

    public static var me: Endpoint<User> {
        .get("me")
    }

    /// The changes of all articles; for ``APIClient/events(_:configure:)``.
    public static var live: Endpoint<Void> {
        .get("live")
    }
}
