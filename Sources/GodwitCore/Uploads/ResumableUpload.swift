import GodwitSupport

/// A running upload that can be paused, and that continues after a broken connection.
///
/// ```swift
/// let upload = api.upload(film, to: .resumable(.post("films")))
/// for await progress in upload.progress { bar.value = progress.fraction }
/// try await upload.value
/// ```
///
/// It starts immediately, and continues if it is released. The file is read while it is sent. If it changes meanwhile,
/// the upload throws `.file`.
///
/// If the connection breaks, the server is asked how much it has, and the rest is sent. The client's retry rule limits
/// how often in a row without progress. If the server no longer knows the upload, it starts over; ``startOvers`` says
/// so.
public final class ResumableUpload<Value: Sendable>: Sendable {
    private let task: Task<Result<Response<Value>, NetworkError>, Never>
    /// `nil` if the upload failed before it started.
    private let work: UploadWork<Value>?
    private let observer: TransferObserver

    init(_ work: UploadWork<Value>) {
        self.work = work
        observer = work.observer
        task = Task {
            defer { work.observer.finish() }
            do throws(NetworkError) {
                let response = try await work.send()
                _ = work.record.update { $0.end() }
                return .success(response)
            } catch {
                // `cancel()` may have been called while the run ended. Its task is canceled, and another must clean up.
                let isDiscarded = work.record.update { $0.end() }
                if isDiscarded || work.cleansUp(error) { await Task.detached { await work.discard() }.value }
                return .failure(error)
            }
        }
    }

    /// Creates an upload that fails before it starts.
    init(failing error: NetworkError) {
        work = nil
        observer = TransferObserver(interval: .zero, timeline: Timeline(ContinuousClock()))
        observer.finish()
        task = Task { .failure(error) }
    }

    /// The latest progress, at most once per ``UploadOptions/progressInterval``, and the last one.
    ///
    /// It counts what was sent. After a broken connection it stays until the server has as much again. It goes back
    /// only if the upload starts over.
    public var progress: ProgressUpdates { observer.updates }

    /// Waits for the decoded response. Canceling the task that waits ends the upload, which can then be paused.
    ///
    /// - Throws: What a call throws; `.file` if the file can't be read or changed; `.invalidResponse` if the server
    ///   contradicts itself or the protocol; `.cancelled` after ``pause()`` or ``cancel()``.
    public var value: Value {
        get async throws(NetworkError) { try await response.value }
    }

    /// Waits for the response to the last request, with status, fields and metrics. Canceling the task that waits ends
    /// the upload.
    ///
    /// - Throws: What ``value`` throws.
    public var response: Response<Value> {
        get async throws(NetworkError) {
            try await task.outcome()
        }
    }

    /// The URL of the upload at the server; `nil` as long as it isn't known, or if the file is sent in several parts.
    public var location: HTTPURL? { work?.record.ticket.location }

    /// How often the upload had to start over, and why, in order. Empty as long as the server keeps what it gets.
    public var startOvers: [UploadStartOver] { work?.record.update(\.startOvers) ?? [] }

    /// Ends the upload, keeps what the server has, and returns a ticket for
    /// ``APIClient/resume(_:options:)-(UploadTicket,_)``.
    ///
    /// After a failure it returns a ticket for what the server has. An upload in presigned parts is removed after a
    /// failure; pausing it then throws its error.
    ///
    /// - Throws: `.invalidRequest` if the upload is complete.
    public func pause() async throws(NetworkError) -> UploadTicket {
        task.cancel()
        switch await task.value {
        case .success: throw NetworkError(.invalidRequest(reason: "the upload is complete"), phase: .receiving)
        case .failure(let error):
            guard let work, !work.cleansUp(error) else { throw error }
            return work.record.ticket
        }
    }

    /// Ends the upload and removes it at the server, also after a failure or ``pause()``. A complete upload is kept.
    ///
    /// ``value`` throws `.cancelled` once the server has answered, or after 10 seconds per part.
    public func cancel() {
        let isOver = work?.record.update { $0.discard() } ?? false
        task.cancel()
        guard isOver, let work else { return }
        Task {
            if case .failure(let error) = await task.value, !work.cleansUp(error) { await work.discard() }
        }
    }
}

/// What a ``ResumableUpload`` runs.
struct UploadWork<Value: Sendable>: Sendable {
    let record: UploadRecord
    let observer: TransferObserver
    let send: @Sendable () async throws(NetworkError) -> Response<Value>
    /// Removes the upload at the server.
    let discard: @Sendable () async -> Void
    /// Whether it is removed after a failure too, so that it can't be resumed.
    let cleansUp: @Sendable (NetworkError) -> Bool
}

extension UploadRun {
    func work<Value>(_ decode: @escaping Endpoint<Value>.Decode) -> UploadWork<Value> {
        UploadWork(
            record: record, observer: observer,
            send: { () throws(NetworkError) in try await api.decoded(try await self(), by: decode) },
            discard: { await terminate() }, cleansUp: { _ in false })
    }
}

extension APIClient {
    fileprivate func decoded<Value>(
        _ response: HTTPResponse, by decode: Endpoint<Value>.Decode
    ) async throws(NetworkError) -> Response<Value> {
        do throws(NetworkError) {
            let body = try await response.body.collect(upTo: .max)
            return Response(try decode(body, response.head, configuration.json), of: response)
        } catch {
            throw error.adding(response).inspected(response)
        }
    }
}
