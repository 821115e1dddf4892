import Synchronization

/// Records exchanges as an HTTP archive (HAR 1.2), which the developer tools of browsers can open.
///
/// ```swift
/// let recorder = HARRecorder()
/// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.attemptMiddleware.append(recorder) }
/// …
/// try recorder.save(to: file)
/// ```
///
/// In ``ClientConfiguration/attemptMiddleware``, each request that is sent gets an entry; in
/// ``ClientConfiguration/middleware``, each call. Directly above the transport, the place of
/// ``ClientConfiguration/recorder``, an entry includes the fields that the transport adds. Secrets are redacted as in a
/// log. Bodies are neither consumed nor delayed: a streamed response gets its entry with its head, and its size and
/// times when it ends.
public final class HARRecorder: Middleware {
    private struct State {
        var entries: [UInt64: HAR.Entry] = [:]
        var next: UInt64 = 0
        /// The number of the oldest entry.
        var first: UInt64 = 0
    }

    private let options: HAROptions
    private let text: HARText
    private let file: ArchiveFile?
    private let state = Mutex(State())

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - file: The file that is updated while recording, readable only by its owner (0600). It is a complete archive
    ///     at all times; several entries can share one write. With `nil`, the default, call ``save(to:)``.
    ///   - options: What is recorded.
    ///   - diagnostics: Receives a report if the file can't be written in the background.
    public init(file: URL? = nil, options: HAROptions = HAROptions(), diagnostics: Diagnostics = .shared) {
        self.options = options
        text = HARText(options)
        self.file = file.map { ArchiveFile($0, diagnostics: diagnostics) }
    }

    /// The number of entries.
    public var count: Int { state.withLock { $0.entries.count } }

    /// The archive so far, in the format of a HAR file.
    ///
    /// - Throws: `.encoding` if it can't be encoded as JSON.
    public func data() throws(NetworkError) -> Data {
        let entries = state.withLock { state in (state.first..<state.next).compactMap { state.entries[$0] } }
        do {
            return try HAR(entries: entries).encoded()
        } catch {
            throw NetworkError(.encoding(reason: "the archive: \(error)"), phase: .middleware, underlying: error)
        }
    }

    /// Writes the archive so far to a file, readable only by its owner (0600), and atomically replaces an existing
    /// file.
    ///
    /// - Parameter file: The file to write.
    /// - Throws: `.file` if that fails; an existing file is then unchanged.
    public func save(to file: URL) throws(NetworkError) {
        try PrivateFile(file).replace(with: data())
    }

    /// Writes the archive to the recorder's file, if it has one.
    ///
    /// - Throws: `.file` if that fails.
    public func flush() throws(NetworkError) {
        try file?.save { () throws(NetworkError) in try data() }
    }

    /// Removes all entries.
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

/// The number of bytes of a body that have been received.
private final class ReceivedBytes: Sendable {
    let count = Atomic<Int64>(0)
}

/// What a ``HARRecorder`` records.
///
/// ```swift
/// var options = HAROptions()
/// options.bodyLimit = 64 << 10
/// let recorder = HARRecorder(file: file, options: options)
/// ```
public struct HAROptions: Sendable {
    /// The maximum number of entries. 1000 by default; the oldest are removed.
    public var entryLimit = 1000

    /// The maximum number of bytes recorded of each body that is in memory. With 0, the default, only sizes are
    /// recorded.
    ///
    /// Streamed bodies and files are never read. Secrets in JSON and forms are redacted as in a log; other bodies are
    /// recorded unchanged.
    public var bodyLimit = 0

    /// Fields whose values are redacted, in addition to those that look like secrets.
    public var redactedFields: Set<HTTPField.Name> = []

    /// Query items, form items and JSON members whose values are redacted, in addition to names that look secret.
    /// Case-insensitive.
    public var redactedNames: Set<String> = []

    /// Returns the start time of an exchange.
    public var now: @Sendable () -> Date = { Date() }

    /// Measures how long an exchange takes, if its transport doesn't.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Creates the default options.
    public init() {}
}

extension HARRecorder: Observing {}
