/// An upload that runs, and tells how far it is.
///
/// ```swift
/// let upload = api.uploading(.avatar(user: 3), body: .file(at: photo))
/// for await progress in upload.progress { bar.value = progress.fraction }
/// let avatar = try await upload.value
/// ```
///
/// It starts at once and does not need anybody to look at it; dropping it does not end it.
public final class Upload<Value: Sendable>: Sendable {
    private let task: Task<Result<Response<Value>, NetworkError>, Never>
    private let observer: TransferObserver

    init(_ observer: TransferObserver, send: @escaping @Sendable () async throws(NetworkError) -> Response<Value>) {
        self.observer = observer
        task = Task {
            defer { observer.finish() }
            do throws(NetworkError) {
                return .success(try await send())
            } catch {
                return .failure(error)
            }
        }
    }

    /// How much of the content was sent: the latest, at most ten times a second, and at last the end.
    ///
    /// Where the content is sent again, by a retry or redirect, it begins anew.
    public var progress: ProgressUpdates { observer.updates }

    /// What the endpoint promises, once the server has answered.
    ///
    /// Throws what a call throws. Cancelling the task that waits here ends the upload.
    public var value: Value {
        get async throws(NetworkError) { try await response.value }
    }

    /// The same, with status, fields and metrics.
    public var response: Response<Value> {
        get async throws(NetworkError) {
            let task = task
            return try await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }.get()
        }
    }

    /// Gives the upload up: ``value`` throws `.cancelled`, unless the server has answered.
    public func cancel() {
        task.cancel()
    }
}
