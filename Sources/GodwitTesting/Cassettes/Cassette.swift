public import GodwitCore
import GodwitSupport
import Synchronization

/// Records exchanges with a real server to a file, and replays them without one.
///
/// ```swift
/// let cassette = try Cassette(at: file, mode: .recordOnce)
/// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.attemptMiddleware.append(cassette) }
/// …
/// #expect(cassette.unused.isEmpty)
/// ```
///
/// Add it as the last of `ClientConfiguration.attemptMiddleware`: each redirect and each attempt is then a separate exchange,
/// and the other middlewares behave the same in both modes. While it replays, nothing is sent.
///
/// The file contains no secrets: like logs and archives, it redacts them in requests and responses. A replayed response
/// contains `<redacted>` instead, and requests are compared without their secrets.
///
/// Several processes can record to one file: each adds its recordings to those of the others. While it records, it holds bodies in memory, up to ``Options/bodyLimit``. An endless response can't be recorded, a failed
/// exchange is not recorded, and a WebSocket throws `.unsupported`.
public final class Cassette: Middleware {
    private enum State {
        case replaying(CassetteTape)
        /// In the order of the requests; `nil` while an exchange is in progress.
        case recording([Recording?])
    }

    /// Why entries of an archive were left out, such as `entry 3: a body isn't valid Base64`. Empty for other files.
    public let leftOut: [String]

    private let file: URL
    /// The recordings of the file that this cassette replaces: those of an earlier run, then its own. Locked during a write, so
    /// that an older state doesn't replace a newer one.
    private let replaced: Mutex<[Recording]>
    private let options: Options
    private let scrubbing: CassetteScrubbing
    private let state: Mutex<State>

    /// Creates a cassette that replays a file of recordings, or records one.
    ///
    /// - Parameters:
    ///   - file: A JSON file, readable only by its owner (0600), and complete after each exchange.
    ///   - mode: Whether to replay or to record.
    ///   - matching: Which recording answers a request.
    ///   - options: Limits and redaction.
    /// - Throws: `.file` if a recording to replay is missing, or this version can't read it.
    public init(
        at file: URL, mode: Mode = .replay, matching: Matching = .strict, options: Options = Options()
    ) throws(NetworkError) {
        self.file = file
        self.options = options
        leftOut = []
        scrubbing = CassetteScrubbing(options)
        let isRecording = mode == .record || mode == .recordOnce && !FileManager.default.fileExists(atPath: file.path)
        if isRecording {
            state = Mutex(.recording([]))
            replaced = Mutex((try? CassetteFile.read(file, limit: options.fileLimit)) ?? [])
        } else {
            replaced = Mutex([])
            let recordings = try CassetteFile.read(file, limit: options.fileLimit)
            state = Mutex(.replaying(CassetteTape(recordings, matching)))
        }
    }

    /// Makes a cassette that replays an HTTP archive (HAR 1.2), such as one of a browser or of `HARRecorder`.
    ///
    /// ```swift
    /// let cassette = try Cassette(har: file, matching: .lenient)
    /// ```
    ///
    /// Entries without a response are skipped, and ``leftOut`` names those that can't be read. An archive without the bodies
    /// of requests needs ``Matching/Content/ignored``. The end of the file may be missing, as after a crash of the writer.
    ///
    /// - Parameters:
    ///   - file: The archive. It stays unchanged.
    ///   - matching: Which recording answers a request.
    ///   - options: Limits and redaction of requests. Responses are used as they were recorded.
    /// - Throws: `.file` if the archive is missing or too large, or if no entry can be read.
    public init(
        har file: URL, matching: Matching = .strict, options: Options = Options()
    ) throws(NetworkError) {
        self.file = file
        self.options = options
        replaced = Mutex([])
        scrubbing = CassetteScrubbing(options)
        let archive = try HARArchive.read(file, limit: options.fileLimit, scrubbing)
        leftOut = archive.leftOut
        state = Mutex(.replaying(CassetteTape(archive.recordings, matching)))
    }

    /// Whether requests are sent and recorded.
    public var isRecording: Bool {
        state.withLock { if case .recording = $0 { true } else { false } }
    }

    /// The number of recordings.
    public var count: Int {
        state.withLock { state in
            switch state {
            case .replaying(let tape): tape.recordings.count
            case .recording(let recordings): recordings.count { $0 != nil }
            }
        }
    }

    var recordings: [Recording] {
        state.withLock { if case .replaying(let tape) = $0 { tape.recordings } else { [] } }
    }

    /// The recordings that no request has used, in order, as `GET https://api.example.com/v1/articles`. Empty while
    /// recording.
    public var unused: [String] {
        state.withLock { state in
            guard case .replaying(let tape) = state else { return [] }
            return tape.unused.map(\.request.description)
        }
    }

    /// Replays the matching response, or sends the call and records the response.
    ///
    /// A request without a matching recording throws `.invalidRequest` with an `underlying` ``CassetteMismatch``.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard call.request.options.upgrade == nil else {
            throw NetworkError(
                .unsupported(feature: "a WebSocket", on: "a Cassette"), phase: .middleware, request: call.request)
        }
        return isRecording ? try await record(call, next) : try await replay(call)
    }

    // MARK: - Replaying

    private func replay(_ call: Call) async throws(NetworkError) -> HTTPResponse {
        let scrubbing = scrubbing.adding(call)
        let (url, limit) = (call.request.url, options.bodyLimit)
        let mock = MockTransport(bodyLimit: limit) { request in
            guard request.bodyByteCount <= limit else {
                throw NetworkError(.tooLarge(limit: Int64(limit)), phase: .middleware)
            }
            let sent = scrubbing.request(request.method, url, request.fields, request.body)
            return try self.answer(to: sent)
        }
        return try await mock.send(call.request)
    }

    private func answer(to request: RecordedRequest) throws(NetworkError) -> MockResponse {
        let answer = state.withLock { state -> Result<RecordedResponse, CassetteMismatch>? in
            guard case .replaying(var tape) = state else { return nil }
            let answer = tape.answer(to: request)
            state = .replaying(tape)
            return answer
        }
        do throws(CassetteMismatch) {
            return try answer?.get().mockResponse ?? .status(.internalServerError)
        } catch {
            throw NetworkError(.invalidRequest(reason: error.description), phase: .middleware, underlying: error)
        }
    }

    // MARK: - Recording

    private func record(_ call: Call, _ next: Next) async throws(NetworkError) -> HTTPResponse {
        var outgoing = call
        let content = try await call.request.body?.collect(upTo: options.bodyLimit)
        if let content { outgoing.request.body = .bytes(content) }
        outgoing.request.delivery = .buffered(limit: options.bodyLimit)
        let index = state.withLock { Self.reserve(in: &$0) }
        let response = try await next(outgoing)
        let received = try await response.body.collect(upTo: options.bodyLimit)
        let scrubbing = scrubbing.adding(call)
        let request = call.request
        let recording = Recording(
            request: scrubbing.request(request.method, request.url, request.fields, content ?? Data()),
            response: scrubbing.adding(response.request).response(response.head, received, to: request.method))
        state.withLock { Self.put(recording, at: index, in: &$0) }
        // It may wait for another process.
        try await BlockingWork.run { Result { () throws(NetworkError) in try self.save() } }.get()
        return try await deliver(response, received, as: call.request)
    }

    private static func reserve(in state: inout State) -> Int {
        guard case .recording(let recordings) = state else { return 0 }
        state = .recording(recordings + [nil])
        return recordings.count
    }

    private static func put(_ recording: Recording, at index: Int, in state: inout State) {
        guard case .recording(var recordings) = state, recordings.indices.contains(index) else { return }
        recordings[index] = recording
        state = .recording(recordings)
    }

    /// Writes the recordings after those that other processes have added to the file.
    private func save() throws(NetworkError) {
        let file = PrivateFile(file, allowsSharedFolder: true)
        try replaced.withLock { replaced throws(NetworkError) in
            replaced = try file.whileLocked { () throws(NetworkError) in
                let own = state.withLock { state -> [Recording] in
                    guard case .recording(let recordings) = state else { return [] }
                    return recordings.compactMap(\.self)
                }
                let others = othersRecordings(without: replaced)
                try file.replace(with: CassetteFile.encoded(others + own, limit: options.fileLimit))
                return own
            }
        }
    }

    /// The recordings of the file that aren't replaced.
    private func othersRecordings(without replaced: [Recording]) -> [Recording] {
        var counts = Dictionary(replaced.map { ($0, 1) }, uniquingKeysWith: +)
        let stored = (try? CassetteFile.read(file, limit: options.fileLimit)) ?? []
        return stored.filter { recording in
            guard let count = counts[recording], count > 0 else { return true }
            counts[recording] = count - 1
            return false
        }
    }

    /// Delivers the response as requested: in memory, as a stream or to a file.
    private func deliver(
        _ response: HTTPResponse, _ content: Data, as request: HTTPRequest
    ) async throws(NetworkError) -> HTTPResponse {
        var request = request
        request.body = nil
        // The handler has received the events of the real exchange.
        request.options.onEvent = nil
        let mock = MockTransport { _ -> MockResponse in
            MockResponse(status: response.head.status, fields: response.head.fields, body: .bytes(content))
        }
        var delivered = try await mock.send(request)
        delivered.metrics = response.metrics
        delivered.request = response.request
        return delivered
    }
}
