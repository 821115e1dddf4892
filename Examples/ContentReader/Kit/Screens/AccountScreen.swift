import Godwit
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

    /// The upload of a new picture.
    public let avatar: UploadModel<Receipt>

    /// Whether a user is signed in; `nil` until it is known.
    public internal(set) var isSignedIn: Bool?

    public init(_ queries: QueryStore) {
        let api = queries.api
        user = Loader(queries, .me)
        signingIn = ActionModel { login in try await api.signIn(api.send(.signIn(login)).token) }
        signingOut = ActionModel {
            // Signs out here in any case: the server may not be reachable.
            try? await api.send(.signOut)
            try await api.signOut()
        }
        avatar = UploadModel(api, .uploadPicture)
    }

    public func signIn() {
        signingIn.start(login)
        login.password = ""
    }

    /// The message for a failed sign-in.
    public var message: String? {
        guard case .validationFailed(let fields) = signingIn.error?.kind else { return signingIn.error?.userMessage }
        return fields.map { "The \($0.field) \($0.messages.joined(separator: ", "))." }.joined(separator: " ")
    }
}
