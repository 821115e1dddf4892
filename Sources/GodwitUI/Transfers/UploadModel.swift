public import GodwitCore
public import Observation

/// An upload with progress.
///
/// ```swift
/// let avatar = UploadModel(api, .avatar(user: 3))
/// avatar.start(.file(at: photo))           // avatar.progress?.fraction, avatar.state
/// ```
///
/// Releasing the model doesn't cancel the upload. When the account changes, it is canceled, and its result removed.
@Observable @MainActor
public final class UploadModel<Value: Sendable> {
    /// The current state: `.loaded` with the endpoint's response.
    public private(set) var state = LoadingState<Value>.idle

    /// How much of the body was sent; `nil` before the first bytes.
    public private(set) var progress: TransferProgress?

    @ObservationIgnored private var upload: Upload<Value>?
    @ObservationIgnored private lazy var accounts = AccountMark { [weak self] in self?.leaveAccount() }
    @ObservationIgnored private let begin: @Sendable (RequestBody?) -> Upload<Value>

    /// Creates a model. The upload doesn't start until asked.
    ///
    /// - Parameters:
    ///   - api: The client.
    ///   - endpoint: The endpoint. Its body is sent unless ``start(_:)`` has another.
    public init(_ api: APIClient, _ endpoint: Endpoint<Value>) {
        begin = { api.uploading(endpoint, body: $0) }
        accounts.note(api.accountSession)
    }

    /// Whether the upload is in progress.
    public var isRunning: Bool { state.isLoading }

    /// Why the upload failed.
    public var error: NetworkError? { state.error }

    /// Starts the upload, unless one is in progress.
    ///
    /// - Parameter body: The body; `nil` (the default) means the endpoint's.
    public func start(_ body: RequestBody? = nil) {
        accounts.leaveChangedAccount()
        guard upload == nil else { return }
        let upload = begin(body)
        self.upload = upload
        progress = nil
        state = .loading(last: state.value)
        Task { [weak self] in
            for await progress in upload.progress { self?.show(progress, of: upload) }
            let outcome = await Outcome.of { try await upload.value }
            self?.finish(outcome, of: upload)
        }
    }

    /// Cancels the upload. Effects on the server may have happened.
    public func cancel() {
        guard let upload else { return }
        upload.cancel()
        forget()
    }

    private func show(_ progress: TransferProgress, of upload: Upload<Value>) {
        if upload === self.upload { self.progress = progress }
    }

    private func finish(_ outcome: Outcome<Value>, of upload: Upload<Value>) {
        guard upload === self.upload else { return }
        switch outcome {
        case .success(let value): state = .loaded(value)
        case .failure(let error) where error.isCancellation: return forget()
        case .failure(let error): state = .failed(error, last: state.value)
        }
        self.upload = nil
    }

    private func leaveAccount() {
        upload?.cancel()
        upload = nil
        progress = nil
        state = .idle
    }

    private func forget() {
        upload = nil
        progress = nil
        state = state.value.map { .loaded($0) } ?? .idle
    }
}
