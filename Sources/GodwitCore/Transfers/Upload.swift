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

extension APIClient {
    /// Sends an endpoint with a content that takes its time, and returns what the endpoint promises.
    ///
    /// ```swift
    /// try await api.upload(.avatar(user: 3), body: .multipart { $0.file("avatar", at: photo) }) { progress in
    ///     print(progress.fraction ?? 0)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - body: The content; nil for the endpoint's own. Files and streams are read while they are sent.
    ///   - progress: Called at most ten times a second, and at the end, on the transport's thread: return quickly.
    ///
    /// Throws what a call throws.
    public func upload<Value>(
        _ endpoint: Endpoint<Value>, body: RequestBody? = nil,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws(NetworkError) -> Value {
        let observer = uploadObserver(progress)
        defer { observer.finish() }
        return try await send(endpoint, body, observer).value
    }

    /// Starts to send an endpoint with a content that takes its time.
    ///
    /// - Parameter body: The content; nil for the endpoint's own. Files and streams are read while they are sent.
    ///
    /// Does not fail by itself: ``Upload/value`` throws.
    public func uploading<Value>(_ endpoint: Endpoint<Value>, body: RequestBody? = nil) -> Upload<Value> {
        let observer = uploadObserver { _ in }
        return Upload(observer) { () throws(NetworkError) in try await self.send(endpoint, body, observer) }
    }

    private func uploadObserver(_ tell: @escaping @Sendable (TransferProgress) -> Void) -> TransferObserver {
        TransferObserver(interval: .milliseconds(100), timeline: Timeline(configuration.clock), tell: tell)
    }

    private func send<Value>(
        _ endpoint: Endpoint<Value>, _ body: RequestBody?, _ observer: TransferObserver
    ) async throws(NetworkError) -> Response<Value> {
        var request = try transferRequest(for: body.map(endpoint.body) ?? endpoint)
        let total = request.body?.length
        let tellAnother = request.options.onEvent
        request.options.onEvent = { event in
            if case .sent(let count, let length) = event { observer.advance(to: count, total: length ?? total) }
            tellAnother?(event)
        }
        observer.jump(to: 0, total: total)
        let response = try await response(for: endpoint, by: request)
        observer.concludeLatest()
        return response
    }
}
