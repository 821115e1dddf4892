/// The parts of an upload to URLs that the app's server has signed, as for S3's multipart uploads.
///
/// ```swift
/// let session = try await api.send(.startUpload(of: "film.mp4"))
/// let parts = UploadParts(partSize: 16 << 20) { part in
///     HTTPRequest(method: .put, url: try await api.send(.partURL(session, part.number)))
/// } complete: { finished in
///     try await api.send(.completeUpload(session, finished))
/// } abort: {
///     try? await api.send(.abortUpload(session))
/// }
/// let film = try await api.upload(file, to: .parts(parts)).value
/// ```
///
/// The parts' requests get neither the client's credentials, cookies nor default fields, as they usually go to another
/// origin.
public struct UploadParts<Value: Sendable>: Sendable {
    /// A part to send.
    public struct Part: Sendable, Hashable {
        /// The number of the part, from 1.
        public let number: Int
        /// The bytes of the file that the part consists of.
        public let range: Range<Int64>
    }

    /// A part that the server has.
    public struct Finished: Sendable, Hashable {
        /// The number of the part, from 1.
        public let number: Int
        /// The `ETag` of the response, with its quotes.
        public let etag: String
    }

    /// The size of each part in bytes, except for the last.
    let partSize: Int64
    let request: @Sendable (Part) async throws -> HTTPRequest
    let complete: @Sendable ([Finished]) async throws -> Value
    let abort: @Sendable () async -> Void

    /// Creates a plan from closures that make the requests and complete or abort the upload.
    ///
    /// - Parameters:
    ///   - partSize: The size of each part in bytes, except for the last. 8 MiB by default. S3 needs at least 5 MiB. A
    ///     file that would have more than 10,000 parts gets larger ones.
    ///   - request: Returns the request for a part, without a body. Called for each attempt, so that a URL that has
    ///     expired is replaced.
    ///   - complete: Called once all parts are sent, with their numbers and tags in order. Returns the upload's value.
    ///   - abort: Removes what was sent. Called after ``ResumableUpload/cancel()`` and after a failure, but not after
    ///     ``ResumableUpload/pause()``.
    public init(
        partSize: Int64 = 8 << 20, request: @escaping @Sendable (Part) async throws -> HTTPRequest,
        complete: @escaping @Sendable ([Finished]) async throws -> Value,
        abort: @escaping @Sendable () async -> Void
    ) {
        self.partSize = partSize
        self.request = request
        self.complete = complete
        self.abort = abort
    }
}
