public import GodwitCore
public import Observation

/// A download with its progress, which a person can pause and take up again.
///
/// ```swift
/// let film = DownloadModel(api, .film(id: 3), to: folder)
/// film.start()                             // film.progress?.fraction, film.state
/// await film.pause()
/// film.start()                             // goes on
/// ```
///
/// Letting go of the model does not end the download.
@Observable @MainActor
public final class DownloadModel {
    /// How a download stands.
    public enum State: Sendable {
        /// Not begun, or given up.
        case idle
        /// Under way.
        case running
        /// Paused; the ticket can be kept to go on in another process.
        case paused(DownloadTicket)
        /// The file is in its place.
        case finished(URL)
        /// It failed. Starting it again goes on with what was received, where that still fits.
        case failed(NetworkError)
    }

    /// How it stands.
    public private(set) var state = State.idle

    /// How far it is; nil before the first bytes. It stays when the download pauses or fails.
    public private(set) var progress: TransferProgress?

    @ObservationIgnored private var download: Download?
    @ObservationIgnored private var isPausing = false
    @ObservationIgnored private let begin: @Sendable () -> Download
    @ObservationIgnored private let resume: @Sendable (DownloadTicket) -> Download

    /// Makes a model; the download does not begin by itself.
    ///
    /// - Parameters:
    ///   - api: The client that downloads.
    ///   - endpoint: What to ask for.
    ///   - destination: A file, or a folder; see `APIClient.download(_:to:configure:)`.
    ///   - configure: Changes the options: digest, what becomes of a file that exists, ranges.
    public init<Value>(
        _ api: APIClient, _ endpoint: Endpoint<Value>, to destination: URL,
        configure: @escaping @Sendable (inout DownloadOptions) -> Void = { _ in }
    ) {
        begin = { api.download(endpoint, to: destination, configure: configure) }
        resume = { api.resume($0) }
    }

    /// Makes a model of a download that was paused, maybe in another process.
    ///
    /// - Parameters:
    ///   - api: The client that downloads; of the same origin as the ticket.
    ///   - ticket: What pausing gave.
    public init(_ api: APIClient, resuming ticket: DownloadTicket) {
        begin = { api.resume(ticket) }
        resume = { api.resume($0) }
        state = .paused(ticket)
    }

    /// Whether it is under way.
    public var isRunning: Bool {
        if case .running = state { true } else { false }
    }

    /// Why it failed.
    public var error: NetworkError? {
        if case .failed(let error) = state { error } else { nil }
    }

    /// Begins, goes on after a pause, or tries again; does nothing while it runs, or when it has finished.
    public func start() {
        switch state {
        case .running, .finished: break
        case .idle, .failed: follow(begin())
        case .paused(let ticket): follow(resume(ticket))
        }
    }

    /// Pauses; returns when the ticket is there. What cannot be paused goes on.
    public func pause() async {
        guard let download, !isPausing else { return }
        isPausing = true
        defer { isPausing = false }
        guard let ticket = try? await download.pause(), download === self.download else { return }
        self.download = nil
        state = .paused(ticket)
    }

    /// Gives the download up and throws away what was received.
    public func cancel() {
        guard let download else { return }
        self.download = nil
        download.cancel()
        (state, progress) = (.idle, nil)
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
        // The pause under way has the ticket.
        case .failure(let error) where error.isCancellation && isPausing: return
        case .failure(let error) where error.isCancellation: state = .idle
        case .failure(let error): state = .failed(error)
        }
        self.download = nil
    }
}
