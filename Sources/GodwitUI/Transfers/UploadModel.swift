public import GodwitCore
public import Observation

/// An upload with its progress.
///
/// ```swift
/// let avatar = UploadModel(api, .avatar(user: 3))
/// avatar.start(.file(at: photo))           // avatar.progress?.fraction, avatar.state
/// ```
///
/// Letting go of the model does not end the upload.
@Observable @MainActor
public final class UploadModel<Value: Sendable> {
    /// How it stands: `.loaded` with what the endpoint promises.
    public private(set) var state = LoadingState<Value>.idle

    /// How much of the content was sent; nil before the first bytes.
    public private(set) var progress: TransferProgress?

    @ObservationIgnored private var upload: Upload<Value>?
    @ObservationIgnored private let begin: @Sendable (RequestBody?) -> Upload<Value>

    /// Makes a model; the upload does not begin by itself.
    ///
    /// - Parameters:
    ///   - api: The client that sends.
    ///   - endpoint: Where to; its content, unless ``start(_:)`` gets another.
    public init(_ api: APIClient, _ endpoint: Endpoint<Value>) {
        begin = { api.upload(endpoint, body: $0) }
    }

    /// Whether it is under way.
    public var isRunning: Bool { state.isLoading }

    /// Why it failed.
    public var error: NetworkError? { state.error }

    /// Begins to send, unless an upload is under way.
    ///
    /// - Parameter body: The content; nil for the endpoint's own.
    public func start(_ body: RequestBody? = nil) {
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

    /// Gives the upload up. What the server has taken by then, it has.
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

    private func forget() {
        upload = nil
        progress = nil
        state = state.value.map { .loaded($0) } ?? .idle
    }
}
