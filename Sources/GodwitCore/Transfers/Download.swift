import GodwitSupport

/// A running download into a file, with progress. It can be paused and resumed.
///
/// ```swift
/// let download = api.download(.attachment(id: 7), to: folder)
/// for await progress in download.progress { bar.value = progress.fraction }
/// let file = try await download.file
/// ```
///
/// It starts immediately, and continues if it is released. The content is written to a hidden file next to the destination,
/// which is moved in one step once it is complete.
///
/// If the connection breaks, the download resumes where it broke (`Range` with `If-Range`, RFC 9110 section 14). The client's
/// retry rule limits how often in a row without progress. If the content changed, or the server sends no strong validator or
/// no ranges, it starts over. After a failure, the received part is kept for the next download of the same URL to the same
/// destination.
public final class Download: Sendable {
    private let task: Task<Result<URL, NetworkError>, Never>
    /// `nil` if the download failed before it started.
    private let record: DownloadRecord?
    private let observer: TransferObserver
    /// Why the download can't be paused.
    private let pauseObstacle: String?

    init(_ run: DownloadRun) {
        record = run.record
        observer = run.observer
        pauseObstacle =
            if run.record.ticket.place.isSpecial {
                "a download to a device or pipe can't be paused"
            } else {
                run.request.isResumable ? nil : "only a GET without a body can be paused"
            }
        task = Task {
            defer { run.observer.finish() }
            do throws(NetworkError) {
                return .success(try await run())
            } catch {
                if run.isOver(by: error) { _ = run.record.update { $0.discard() } }
                // `cancel()` may have been called after the run cleaned up.
                if run.record.update({ $0.end() }) { Self.discardLeftover(in: run.record.ticket.place) }
                return .failure(error)
            }
        }
    }

    /// Creates a download that fails before it starts.
    init(failing error: NetworkError) {
        record = nil
        observer = TransferObserver(interval: .zero, timeline: Timeline(ContinuousClock()))
        pauseObstacle = nil
        observer.finish()
        task = Task { .failure(error) }
    }

    /// The latest progress, at most once per ``DownloadOptions/progressInterval``, and the last one.
    public var progress: ProgressUpdates { observer.updates }

    /// Waits for the complete file at its destination.
    ///
    /// Canceling the task that waits ends the download and keeps what was received.
    ///
    /// - Throws: What a call throws; `.file` if the disk is full or the file exists; `.invalidResponse` for content with
    ///   another digest; `.cancelled` after ``pause()`` or ``cancel()``.
    public var file: URL {
        get async throws(NetworkError) {
            try await task.outcome()
        }
    }

    /// Ends the download, keeps what was received, and returns a ticket for `APIClient.resume(_:)`.
    ///
    /// After a failure it returns a ticket for what was received.
    ///
    /// - Throws: `.invalidRequest` if the download is complete, or if it can't be resumed: its request is not a GET
    ///   without a body, or its destination is a device or pipe. Such a download continues.
    public func pause() async throws(NetworkError) -> DownloadTicket {
        if let pauseObstacle { throw Self.refusal(pauseObstacle) }
        task.cancel()
        switch await task.value {
        case .success: throw Self.refusal("the download is complete")
        case .failure(let error):
            guard let record else { throw error }
            return record.ticket
        }
    }

    /// Ends the download and keeps what was received, without waiting.
    package func stop() {
        task.cancel()
    }

    /// Ends the download and discards what was received, also after a failure or ``pause()``.
    ///
    /// A complete file is kept.
    public func cancel() {
        let isOver = record?.update { $0.discard() } ?? false
        task.cancel()
        if isOver, let record { Self.discardLeftover(in: record.ticket.place) }
    }

    /// Whether the file was complete before anything was transferred; see ``DownloadOptions/ExistingFile/keepIfComplete``.
    ///
    /// False until ``file`` returns.
    public var wasAlreadyComplete: Bool { record?.update(\.wasAlreadyComplete) ?? false }

    /// Discards what an ended download has left, unless another download continues it.
    package static func discardLeftover(of url: HTTPURL, to destination: URL) {
        discardLeftover(in: DownloadPlace(destination, url: url))
    }

    /// A download that continues it holds the file, so that opening it throws.
    private static func discardLeftover(in place: DownloadPlace) {
        guard DownloadPlace.exists(place.partialFile),
            let file = try? PartialFile(place.partialFile, for: place.destination.lastPathComponent)
        else { return }
        file.remove()
        place.removeTicket()
    }

    private static func refusal(_ reason: String) -> NetworkError {
        NetworkError(.invalidRequest(reason: reason), phase: .receiving)
    }
}
