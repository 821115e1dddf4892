/// A download into a file: runs, tells how far it is, and can be paused.
///
/// ```swift
/// let download = api.download(.attachment(id: 7), to: folder)
/// for await progress in download.progress { bar.value = progress.fraction }
/// let file = try await download.file
/// ```
///
/// It starts at once and does not need anybody to look at it; dropping it does not end it. The content goes straight to
/// disk, into a hidden file beside the destination, which is moved to its place in one step once it is complete.
///
/// A connection that breaks is taken up again where it broke (`Range` with `If-Range`, RFC 9110 section 14), as often
/// as the client's retry rule allows in a row without getting further. Where the content changed meanwhile, or the
/// server gives no strong validator or no parts, it starts over. What has been received when a download fails stays for
/// the next one of the same URL to the same destination.
public final class Download: Sendable {
    private let task: Task<Result<URL, NetworkError>, Never>
    /// Nil where it failed before it began.
    private let ledger: DownloadLedger?
    private let observer: TransferObserver
    private let isResumable: Bool

    init(_ run: DownloadRun, _ ticket: DownloadTicket) {
        ledger = run.ledger
        observer = run.observer
        isResumable = run.isResumable
        task = Task {
            defer { run.observer.finish() }
            do throws(NetworkError) {
                return .success(try await run(ticket))
            } catch {
                // Asked for at the last moment, when the run had looked already.
                if run.ledger.end() { Self.discardLeftover(in: run.ledger.ticket.place) }
                return .failure(error)
            }
        }
    }

    /// A download that fails before it begins.
    init(failing error: NetworkError) {
        ledger = nil
        observer = TransferObserver(interval: .zero, timeline: Timeline(ContinuousClock()))
        isResumable = true
        observer.finish()
        task = Task { .failure(error) }
    }

    /// How far it is: the latest, at most every ``DownloadOptions/progressInterval``, and at last the end.
    public var progress: ProgressUpdates { observer.updates }

    /// The complete file, once it is in its place.
    ///
    /// Throws what ended the download: what a call throws, `.file` where the disk is full or the file exists,
    /// `.invalidResponse` for a content that is not the expected one, and `.cancelled` after ``pause()`` or
    /// ``cancel()``. Cancelling the task that waits here ends the download and keeps what was received.
    public var file: URL {
        get async throws(NetworkError) {
            let task = task
            return try await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }.get()
        }
    }

    /// Ends the download and returns what it takes to go on with it: see ``APIClient/resume(_:)``.
    ///
    /// Throws `.invalidRequest` where it is complete already, and where it cannot be taken up again, as it is no GET
    /// without content; that one goes on. After a failure it returns what is left.
    public func pause() async throws(NetworkError) -> DownloadTicket {
        guard isResumable else { throw Self.refusal("only a GET without content can be paused") }
        task.cancel()
        switch await task.value {
        case .success: throw Self.refusal("the download is complete")
        case .failure(let error):
            guard let ledger else { throw error }
            return ledger.ticket
        }
    }

    /// Ends the download and keeps what was received, without waiting; see ``pause()``.
    public func stop() {
        task.cancel()
    }

    /// Ends the download and throws away what was received, also after it has failed or was paused.
    ///
    /// A file that is complete stays.
    public func cancel() {
        let isOver = ledger?.discardAtEnd() ?? false
        task.cancel()
        if isOver, let ledger { Self.discardLeftover(in: ledger.ticket.place) }
    }

    /// Whether the file was complete before anything was transferred; see ``DownloadOptions/ExistingFile/keepIfComplete``.
    ///
    /// Known when ``file`` returns; false until then.
    public var wasAlreadyComplete: Bool { ledger?.isAlreadyComplete ?? false }

    /// Throws away what a download that does not run any more has left; leaves it where another has taken it up.
    package static func discardLeftover(of url: HTTPURL, to destination: URL) {
        discardLeftover(in: DownloadPlace(destination, url: url))
    }

    /// A run that has taken it up holds the file, so that it cannot be opened.
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
