public import Godwit
public import GodwitUI
public import Observation

/// Signing in and out, and the picture of the user.
@Observable @MainActor
public final class AccountScreen {
    /// The input of the sign-in.
    public var login = Login()

    /// The state of the account.
    public private(set) var state: AccountSession.State?

    /// The signed-in user.
    public let user: Loader<User>

    public let signingIn: ActionModel<Login, Void>
    public let signingOut: ActionModel<Void, Void>

    /// The upload of a new picture.
    public let avatar: UploadModel<Receipt>

    @ObservationIgnored private var watch: Task<Void, Never>?

    /// - Parameter monitor: Reports when the network is available again.
    public init(_ api: APIClient, monitor: (any PathMonitor)? = nil) {
        state = api.session.state
        user = Loader(api, .me, retryingWith: monitor)
        signingIn = ActionModel { login in try await api.signIn(api.send(.signIn(login)).token) }
        signingOut = ActionModel {
            // Signs out here in any case: the server may not be reachable.
            try? await api.send(.signOut)
            try await api.signOut()
        }
        avatar = UploadModel(api, .uploadPicture)
        watch = Task { [weak self, session = api.session] in
            for await state in session {
                guard let self else { return }
                self.state = state
                if isSignedIn { await user.load() }
            }
        }
    }

    deinit {
        watch?.cancel()
    }

    public var isSignedIn: Bool {
        switch state {
        case .signedIn, .refreshing: true
        case .ended, nil: false
        }
    }

    public func signIn() {
        signingIn.start(login)
        login.password = ""
    }

    /// Uploads a picture.
    public func upload(_ picture: RequestBody) {
        avatar.start(picture)
    }

    /// The message for a failed sign-in.
    public var message: String? {
        guard case .validationFailed(let fields) = signingIn.error?.kind else { return signingIn.error?.userMessage }
        return fields.map { "The \($0.field) \($0.messages.joined(separator: ", "))." }.joined(separator: " ")
    }
}
