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
        .post("auth/logout")
    }

    public static var me: Endpoint<User> {
        .get("me")
    }

    public static var uploadPicture: Endpoint<Receipt> {
        .post("uploads")
    }

    /// The changes of all articles; for ``APIClient/events(_:configure:)``.
    public static var live: Endpoint<Void> {
        .get("live")
    }
}
