import GodwitSupport

/// A running upload, with progress.
///
/// ```swift
/// let upload = api.uploading(.avatar(user: 3), body: .file(at: photo))
/// for await progress in upload.progress { bar.value = progress.fraction }
/// let avatar = try await upload.value
/// ```
///
/// It starts immediately, and continues if it is released.
public final class Upload<Value: Sendable>: Sendable {
    private let task: Task<Result<Response<Value>, NetworkError>, Never>
    private let observer: TransferObserver

    init(_ observer: TransferObserver, send: @escaping @Sendable () async throws(NetworkError) -> Response<Value>) {
        self.observer = observer
        task = Task {
            defer { observer.finish() }
            return await Result.catching(send)
        }
    }

    /// How much of the body was sent: at most ten updates per second, and the last one.
    ///
    /// It restarts if a retry or redirect sends the body again.
    public var progress: ProgressUpdates { observer.updates }

    /// Waits for the decoded response. Canceling the task that waits ends the upload.
    ///
    /// - Throws: What a call throws.
    public var value: Value {
        get async throws(NetworkError) { try await response.value }
    }

    /// Waits for the response with status, fields and metrics. Canceling the task that waits ends the upload.
    ///
    /// - Throws: What a call throws.
    public var response: Response<Value> {
        get async throws(NetworkError) {
            try await task.outcome()
        }
    }

    /// Ends the upload: ``value`` throws `.cancelled`, unless the server has responded.
    public func cancel() {
        task.cancel()
    }
}

extension APIClient {
    /// Uploads a large body and returns the decoded response.
    ///
    /// ```swift
    /// try await api.upload(.avatar(user: 3), body: .multipart { $0.file("avatar", at: photo) }) { progress in
    ///     print(progress.fraction ?? 0)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: The request to send.
    ///   - body: The body; `nil` for the endpoint's own. Files and streams are read while they are sent.
    ///   - progress: Called at most ten times per second, and at the end, on the transport's thread. Return quickly.
    /// - Throws: What a call throws.
    public func upload<Value>(
        _ endpoint: Endpoint<Value>, body: RequestBody? = nil,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws(NetworkError) -> Value {
        try await uploading(endpoint, body: body, onProgress: progress).value
    }

    /// Starts an upload of a large body, to wait for and follow with the returned ``Upload``, which throws its errors.
    ///
    /// - Parameters:
    ///   - endpoint: The request to send.
    ///   - body: The body; `nil` for the endpoint's own. Files and streams are read while they are sent.
    ///   - onProgress: Called for each update of ``Upload/progress`` on the transport's thread. Return quickly.
    public func uploading<Value>(
        _ endpoint: Endpoint<Value>, body: RequestBody? = nil,
        onProgress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) -> Upload<Value> {
        let observer = TransferObserver(
            interval: .milliseconds(100), timeline: Timeline(configuration.clock), report: onProgress)
        return Upload(observer) { () throws(NetworkError) in
            var request = try self.transferRequest(for: body.map(endpoint.body) ?? endpoint)
            let total = request.body?.length
            let onEvent = request.options.onEvent
            request.options.onEvent = { event in
                if case .sent(let count, let length) = event {
                    observer.advanceOrRestart(to: count, total: length ?? total)
                }
                onEvent?(event)
            }
            observer.jump(to: 0, total: total)
            let response = try await self.response(for: endpoint, by: request)
            observer.concludeLatest()
            return response
        }
    }
}
