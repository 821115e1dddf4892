public import GodwitCore
public import Observation

/// A download with progress that the user can pause and resume.
///
/// ```swift
/// let film = DownloadModel(api, .film(id: 3), to: folder)
/// film.start()                             // film.progress?.fraction, film.state
/// await film.pause()
/// film.start()                             // resumes
/// ```
///
/// Releasing the model doesn't cancel the download. When the account changes, it is canceled, also if it is paused; a complete
/// file stays, but the model doesn't name it any more.
@Observable @MainActor
public final class DownloadModel {
    /// The state of a download.
    public enum State: Sendable {
        /// The download wasn't started, or was canceled.
        case idle
        /// The download is in progress.
        case running
        /// Paused. Keep the ticket to resume in another process.
        case paused(DownloadTicket)
        /// The file is complete.
        case finished(URL)
        /// The download failed. Starting again continues with the received data if it is still valid.
        case failed(NetworkError)
    }

    /// The current state.
    public private(set) var state = State.idle

    /// The progress; `nil` before the first bytes. Kept when the download pauses or fails.
    public private(set) var progress: TransferProgress?

    /// The download, also if it is paused or has failed.
    @ObservationIgnored private var download: Download?
    @ObservationIgnored private var isPausing = false
    @ObservationIgnored private lazy var accounts = AccountMark { [weak self] in self?.leaveAccount() }
    /// Starts a download; `nil` if a former account's was to be resumed.
    @ObservationIgnored private var begin: (@Sendable () -> Download)?
    /// Whether the download was started elsewhere, and can only be resumed.
    @ObservationIgnored private let hasTicket: Bool
    @ObservationIgnored private let resume: @Sendable (DownloadTicket) -> Download

    /// Creates a model. The download doesn't start until asked.
    ///
    /// - Parameters:
    ///   - api: The client.
    ///   - endpoint: The request. Its response type doesn't matter.
    ///   - destination: A file or folder; see `APIClient.download(_:to:configure:)`.
    ///   - configure: Changes the options: digest, existing files, ranges.
    public init<Value>(
        _ api: APIClient, _ endpoint: Endpoint<Value>, to destination: URL,
        configure: @escaping @Sendable (inout DownloadOptions) -> Void = { _ in }
    ) {
        hasTicket = false
        begin = { api.download(endpoint, to: destination, configure: configure) }
        resume = { api.resume($0) }
        accounts.note(api.accountSession)
    }

    /// Creates a model of a paused download, possibly from another process.
    ///
    /// When the account changes, what was received is discarded, and ``start()`` fails with `.cancelled`, whose `underlying`
    /// error is `AccountChanged`: the ticket isn't the next account's.
    ///
    /// - Parameters:
    ///   - api: The client; it must have the ticket's origin.
    ///   - ticket: From ``pause()``, or `Download.pause()`.
    public init(_ api: APIClient, resuming ticket: DownloadTicket) {
        hasTicket = true
        begin = { api.resume(ticket) }
        resume = { api.resume($0) }
        state = .paused(ticket)
        accounts.note(api.accountSession)
    }

    /// Whether the download is in progress.
    public var isRunning: Bool {
        if case .running = state { true } else { false }
    }

    /// Why the download failed.
    public var error: NetworkError? {
        if case .failed(let error) = state { error } else { nil }
    }

    /// Starts, resumes or retries the download. Does nothing while it runs, or when it has finished.
    public func start() {
        accounts.leaveChangedAccount()
        switch state {
        case .running, .finished: break
        case .idle, .failed: if let begin { follow(begin()) } else { refuse() }
        case .paused(let ticket): follow(resume(ticket))
        }
    }

    /// Pauses; returns when the ticket is available. A download that can't be paused continues.
    public func pause() async {
        guard let download, isRunning, !isPausing else { return }
        isPausing = true
        defer { isPausing = false }
        guard let ticket = try? await download.pause(), download === self.download else { return }
        state = .paused(ticket)
    }

    /// Cancels the download and discards the received data, also if it is paused or has failed. A complete file stays.
    public func cancel() {
        if case .finished = state { return }
        discard()
    }

    private func discard() {
        if let download {
            download.cancel()
        } else if case .paused(let ticket) = state {
            Download.discardLeftover(of: ticket.url, to: ticket.destination)
        }
        download = nil
        progress = nil
        state = .idle
    }

    private func leaveAccount() {
        discard()
        if hasTicket { begin = nil }
    }

    private func refuse() {
        state = .failed(NetworkError(.cancelled, phase: .building, underlying: AccountChanged()))
    }

    private func follow(_ download: Download) {
        self.download = download
        state = .running
        Task { [weak self] in
            for await progress in download.progress { self?.show(progress, of: download) }
            let outcome = await Outcome.of { try await download.file }
            self?.finish(outcome, of: download)
        }
    }

    private func show(_ progress: TransferProgress, of download: Download) {
        if download === self.download { self.progress = progress }
    }

    private func finish(_ outcome: Outcome<URL>, of download: Download) {
        guard download === self.download else { return }
        switch outcome {
        case .success(let file): state = .finished(file)
        // The pause in progress returns the ticket.
        case .failure(let error) where error.isCancellation && isPausing: return
        case .failure(let error) where error.isCancellation: state = .idle
        case .failure(let error): state = .failed(error)
        }
    }
}
