public import GodwitCore
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
/// It belongs innermost, into `ClientConfiguration.attemptMiddleware`: there each redirect and each attempt is an
/// exchange of its own, and whatever stands above works alike in both modes. While it replays nothing is sent.
///
/// Secrets do not get into the file: it leaves out what logs and archives leave out, in requests and in responses. So a
/// replayed response has `<redacted>` in their place, and a request is compared without its own.
///
/// While it records, contents are held in memory as a whole, up to ``Options/bodyLimit``; a response that does not end
/// cannot be recorded. An exchange that fails is not recorded. A request for a WebSocket throws `.unsupported`.
public final class Cassette: Middleware {
    private struct Recorder {
        /// In the order in which the requests were made; nil while one is under way.
        var recordings: [Recording?] = []
    }

    private enum State {
        case replaying(CassetteTape)
        case recording(Recorder)
    }

    private let file: ArchiveFile
    private let options: Options
    private let scrubbing: CassetteScrubbing
    private let state: Mutex<State>

    /// Makes a cassette.
    ///
    /// - Parameters:
    ///   - file: The cassette's file: JSON, written for its owner alone (0600), and whole after every exchange.
    ///   - mode: Whether to replay or to record.
    ///   - matching: Which recording answers which request.
    ///   - options: What is kept, and how much.
    ///
    /// Throws `.file` where there is to be a recording and there is none, or none that this version can read.
    public init(
        at file: URL, mode: Mode = .replay, matching: Matching = .strict, options: Options = Options()
    ) throws(NetworkError) {
        self.file = ArchiveFile(file)
        self.options = options
        scrubbing = CassetteScrubbing(options)
        let isRecording = mode == .record || mode == .recordOnce && !FileManager.default.fileExists(atPath: file.path)
        if isRecording {
            state = Mutex(.recording(Recorder()))
        } else {
            let recordings = try CassetteFile.read(file, limit: options.fileLimit)
            state = Mutex(.replaying(CassetteTape(recordings, matching)))
        }
    }

    /// Whether requests go to the server and are recorded.
    public var isRecording: Bool {
        state.withLock { if case .recording = $0 { true } else { false } }
    }

    /// How many recordings there are.
    public var count: Int {
        state.withLock { state in
            switch state {
            case .replaying(let tape): tape.recordings.count
            case .recording(let recorder): recorder.recordings.count { $0 != nil }
            }
        }
    }

    /// The recordings that no request has asked for yet, as `GET https://api.example.com/v1/articles`.
    ///
    /// In order; empty while recording.
    public var unused: [String] {
        state.withLock { state in
            guard case .replaying(let tape) = state else { return [] }
            return tape.unused.map(\.request.description)
        }
    }

    /// Replays the response of the recording that fits, or sends the call and records what comes back.
    ///
    /// A request that no recording fits throws `.invalidRequest`, with a ``CassetteMismatch`` as
    /// the error's `underlying`.
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
        let place = state.withLock { Self.reserve(in: &$0) }
        let response = try await next(outgoing)
        let received = try await response.body.collect(upTo: options.bodyLimit)
        let scrubbing = scrubbing.adding(call)
        let request = call.request
        let recording = Recording(
            request: scrubbing.request(request.method, request.url, request.fields, content ?? Data()),
            response: scrubbing.response(response.head, received, to: request.method))
        state.withLock { Self.put(recording, at: place, in: &$0) }
        try save()
        return try await deliver(response, received, as: call.request)
    }

    private static func reserve(in state: inout State) -> Int {
        guard case .recording(var recorder) = state else { return 0 }
        recorder.recordings.append(nil)
        state = .recording(recorder)
        return recorder.recordings.count - 1
    }

    private static func put(_ recording: Recording, at place: Int, in state: inout State) {
        guard case .recording(var recorder) = state, recorder.recordings.indices.contains(place) else { return }
        recorder.recordings[place] = recording
        state = .recording(recorder)
    }

    private func save() throws(NetworkError) {
        try file.save { () throws(NetworkError) in
            let recordings = state.withLock { state -> [Recording] in
                guard case .recording(let recorder) = state else { return [] }
                return recorder.recordings.compactMap(\.self)
            }
            return try CassetteFile.encoded(recordings, limit: options.fileLimit)
        }
    }

    /// The response as the caller wanted it: in memory, as a stream or in a file.
    private func deliver(
        _ response: HTTPResponse, _ content: Data, as request: HTTPRequest
    ) async throws(NetworkError) -> HTTPResponse {
        var request = request
        request.body = nil
        // It was told already.
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
