extension AccountSession {
    /// Whether a user is signed in.
    public enum State: Sendable {
        /// Someone is signed in, or the client's credential needs no sign-in.
        case signedIn
        /// Someone is signed in, and the token is being replaced.
        case refreshing
        /// No user is signed in.
        case ended(End)
    }

    /// Why no user is signed in.
    public enum End: Sendable {
        /// The token store is empty.
        case notSignedIn
        /// The user signed out: ``APIClient/signOut()``, ``TokenRefresher/signOut()`` or ``SignOut``.
        case signedOut
        /// The server refused the refresh token, or a token that was just refreshed.
        case refused(NetworkError)
    }
}

extension AccountSession.State {
    /// Whether both are the same state, with the same kind of error.
    func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.signedIn, .signedIn), (.refreshing, .refreshing): true
        case (.ended(.notSignedIn), .ended(.notSignedIn)), (.ended(.signedOut), .ended(.signedOut)): true
        case (.ended(.refused(let left)), .ended(.refused(let right))): left.kind == right.kind
        default: false
        }
    }
}

extension AccountSession.State: CustomStringConvertible {
    public var description: String {
        switch self {
        case .signedIn: "signed in"
        case .refreshing: "refreshing"
        case .ended(let end): "ended: \(end)"
        }
    }
}

extension AccountSession.End: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notSignedIn: "no user has signed in"
        case .signedOut: "signed out"
        case .refused(let error): "refused: \(error)"
        }
    }
}

/// The reason that a call was stopped: the client has another account.
///
/// It is the ``NetworkError/underlying`` error of a call that waited (for a retry, a token, a queue, a reconnection)
/// while someone signed in or out. The error's kind is `.unauthorized` if no user is signed in now, and `.cancelled` if
/// someone else is.
public struct AccountChanged: Error, Sendable, Hashable {
    package init() {}
}

extension AccountChanged: CustomStringConvertible, LocalizedError {
    public var description: String { "the account changed while the call was in progress" }

    /// What `localizedDescription` says: ``description``.
    public var errorDescription: String? { description }
}

extension AccountChanged: LibraryError {}
