public import Godwit
public import GodwitUI
public import Observation

/// Signing in and out, and the picture of the user.
@Observable @MainActor
public final class AccountScreen {
    /// The input of the sign-in.
    public var login = Login()

    /// The signed-in user.
    public let user: Loader<User>

    public let signingIn: ActionModel<Login, Void>
    public let signingOut: ActionModel<Void, Void>

    /// The upload of a new picture; `nil` until the user is known. Each user has another one.
    public private(set) var avatar: UploadModel<Receipt>?

    /// Whether a user is signed in; `nil` until it is known.
    public internal(set) var isSignedIn: Bool?

    /// Why the server ended the session; `nil` if the user did, or if it hasn't ended.
    public internal(set) var ending: NetworkError?

    @ObservationIgnored private let api: APIClient
    @ObservationIgnored private var owner: User.ID?

    public init(_ queries: QueryStore) {
        api = queries.api
        user = Loader(queries, .me)
        signingIn = ActionModel { [api = queries.api] login in try await api.signIn(api.send(.signIn(login)).token) }
        signingOut = ActionModel { [api = queries.api] in
            // Signs out here in any case: the server may not be reachable.
            try? await api.send(.signOut)
            try await api.signOut()
        }
    }

    /// Signs in with ``login``. The password stays until that succeeds.
    public func signIn() { signingIn.start(login) }

    /// The fields that the server refused at the sign-in.
    public var faults: [NetworkError.FieldError] {
        guard case .validationFailed(let fields) = signingIn.error?.kind else { return [] }
        return fields
    }

    func show(_ user: User) {
        guard owner != user.id else { return }
        clear()
        (owner, avatar) = (user.id, UploadModel(api, .avatar(user: user.id)))
    }

    /// Ends what belongs to the user.
    func clear() {
        avatar?.cancel()
        (owner, avatar) = (nil, nil)
    }
}
