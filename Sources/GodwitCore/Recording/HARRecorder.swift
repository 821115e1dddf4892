import Synchronization

/// Records exchanges as an HTTP archive (HAR 1.2), which the developer tools of browsers open.
///
/// ```swift
/// let recorder = HARRecorder()
/// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.attemptMiddleware.append(recorder) }
/// …
/// try recorder.save(to: file)
/// ```
///
/// Where it stands decides what an entry is: in ``ClientConfiguration/attemptMiddleware`` each request that goes out,
/// in ``ClientConfiguration/middleware`` each call. Directly above the transport, an entry also has the fields that this adds.
/// ``ClientConfiguration/recorder`` stands there. Secrets are left out as from a log. Bodies are neither used up nor
/// held back: a streamed one is an entry once its head is in, and gets its size and times when it ends.
public final class HARRecorder: Middleware {
    private struct State {
        var entries: [UInt64: HAR.Entry] = [:]
        var next: UInt64 = 0
        /// The number of the oldest entry kept.
        var first: UInt64 = 0
    }

    private let options: HAROptions
    private let text: HARText
    private let file: ArchiveFile?
    private let state = Mutex(State())

    /// Makes a recorder.
    ///
    /// - Parameters:
    ///   - file: Where the archive is kept up to date while it is recorded; nil leaves it to ``save(to:)``. The file
    ///     is at all times a whole archive, for its owner alone (0600). Many entries at once make one write.
    ///   - options: What is kept.
    ///   - diagnostics: Receives a report if the file can't be written in the background.
    public init(file: URL? = nil, options: HAROptions = HAROptions(), diagnostics: Diagnostics = .shared) {
        self.options = options
        text = HARText(options)
        self.file = file.map { ArchiveFile($0, diagnostics: diagnostics) }
    }

    /// How many entries there are.
    public var count: Int { state.withLock { $0.entries.count } }

    /// The archive so far, as a HAR file holds it.
    ///
    /// Throws `.encoding` where it cannot be written as JSON.
    public func data() throws(NetworkError) -> Data {
        let entries = state.withLock { state in (state.first..<state.next).compactMap { state.entries[$0] } }
        do {
            return try HAR(entries: entries).encoded()
        } catch {
            throw NetworkError(.encoding(reason: "the archive: \(error)"), phase: .middleware, underlying: error)
        }
    }

    /// Writes the archive so far to a file, in one step and for its owner alone (0600).
    ///
    /// Throws `.file` where that fails; a file that was there is then left as it was.
    ///
    /// - Parameter file: Where to; a file that is there is replaced.
    public func save(to file: URL) throws(NetworkError) {
        try PrivateFile(file).replace(with: data())
    }

    /// Writes the archive to the recorder's own file now, and says whether that worked; nothing without one.
    public func flush() throws(NetworkError) {
        try file?.save { () throws(NetworkError) in try data() }
    }

    /// Forgets all entries.
    public func removeAll() {
        state.withLock { state in
            state.entries = [:]
            state.first = state.next
        }
    }

    /// Records the call and its outcome.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let text = text.adding(call)
        let number = begin(text.request(call.request, adding: next.fieldsAddedByTransport(to: call.request)))
        var call = call
        let handler = call.request.options.onEvent
        let received = ReceivedBytes()
        call.request.options.onEvent = { [weak self] event in
            switch event {
            case .received(let count, total: _): received.count.store(count, ordering: .relaxed)
            case .finished(let metrics):
                self?.update(number) { $0.take(metrics, received: received.count.load(ordering: .relaxed)) }
            case .sent, .interim, .waitingForConnectivity: break
            }
            handler?(event)
        }
        // Counts from here.
        let timeline = Timeline(options.clock)
        do throws(NetworkError) {
            let response = try await next(call)
            let (recorded, time) = (text.response(response), timeline.now)
            update(number) { $0.take(recorded, response.metrics, after: time) }
            return response
        } catch {
            let time = timeline.now
            update(number) { $0.take(error, after: time) }
            throw error
        }
    }

    private func begin(_ request: HAR.Request) -> UInt64 {
        let entry = HAR.Entry(
            startedDateTime: ISO8601.text(options.now()) ?? "1970-01-01T00:00:00Z", time: 0, request: request,
            response: HARText.noResponse, timings: HAR.Timings())
        return state.withLock { state in
            let number = state.next
            state.entries[number] = entry
            state.next += 1
            while state.entries.count > max(1, options.entryLimit) {
                state.entries[state.first] = nil
                state.first += 1
            }
            return number
        }
    }

    private func update(_ number: UInt64, _ change: (inout HAR.Entry) -> Void) {
        state.withLock { state in
            guard var entry = state.entries[number] else { return }
            change(&entry)
            state.entries[number] = entry
        }
        file?.saveSoon { [weak self] () throws(NetworkError) in try self?.data() }
    }
}

/// How much of a body has come so far.
private final class ReceivedBytes: Sendable {
    let count = Atomic<Int64>(0)
}

/// What a ``HARRecorder`` keeps.
///
/// ```swift
/// var options = HAROptions()
/// options.bodyLimit = 64 << 10
/// let recorder = HARRecorder(file: file, options: options)
/// ```
public struct HAROptions: Sendable {
    /// The most entries kept; 1000 by default. The oldest goes first.
    public var entryLimit = 1000

    /// The most bytes kept of each body that is in memory; 0, the default, keeps sizes alone.
    ///
    /// Streamed bodies and files are never read. Secrets in JSON and forms are left out as from a log; other content
    /// is kept as it is.
    public var bodyLimit = 0

    /// Fields whose values are not kept, beside those that look like secrets.
    public var redactedFields: Set<HTTPField.Name> = []

    /// Names of query items, form items and JSON members whose values are not kept, beside those that look like
    /// secrets. Compared without case.
    public var redactedNames: Set<String> = []

    /// Tells when an exchange began.
    public var now: @Sendable () -> Date = { Date() }

    /// What measures how long an exchange took where its transport does not say.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Makes the defaults.
    public init() {}
}

extension HARRecorder: Observing {}
