import GodwitSupport
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
/// log. Bodies are neither consumed nor delayed: a streamed response gets its entry with its head, and its body, size
/// and times when it ends.
///
/// A file gets each entry once, when the exchange has ended. Several recorders can write one file, also in several processes:
/// each adds its entries. The latest entries also stay in memory, for ``data()``.
public final class HARRecorder: ObservingMiddleware {
    private let options: HAROptions
    private let text: HARText
    private let file: ArchiveStream?
    private let timeline: Timeline
    private let entries: Mutex<ArchiveEntries>

    /// Creates a recorder that keeps entries in memory and, if you name one, in a file.
    ///
    /// - Parameters:
    ///   - file: The file to write while recording, readable only by its owner (0600). The first entry replaces an existing
    ///     file that no other recorder is writing. Entries are appended as exchanges end, in the background and several with
    ///     one write; after each write it is a complete archive, also if the process is killed. It keeps all entries, up to
    ///     ``HAROptions/fileLimit``. With `nil`, the default, call ``save(to:)``.
    ///   - options: What is recorded.
    ///   - diagnostics: Receives a report if the file can't be written in the background.
    public init(file: URL? = nil, options: HAROptions = HAROptions(), diagnostics: Diagnostics = .shared) {
        self.options = options
        text = HARText(options)
        timeline = Timeline(options.clock)
        self.file = file.map { ArchiveStream($0, limit: options.fileLimit, diagnostics: diagnostics) }
        entries = Mutex(ArchiveEntries(limit: options.entryLimit, keepsUnfinished: file != nil))
    }

    deinit {
        file?.finish(with: entries.withLock(\.unfinished))
    }

    /// The number of entries in memory, at most ``HAROptions/entryLimit``.
    public var count: Int { entries.withLock(\.count) }

    /// The entries in memory as an archive, in the format of a HAR file.
    ///
    /// - Throws: `.encoding` if it can't be encoded as JSON.
    public func data() throws(NetworkError) -> Data {
        let kept = entries.withLock(\.kept)
        do {
            return HAR.head + Data(try HAR.encoded(kept.map(\.entry)).joined(separator: HAR.separator)) + HAR.tail
        } catch {
            throw NetworkError(.encoding(reason: "the archive: \(error)"), phase: .middleware, underlying: error)
        }
    }

    /// Writes the entries in memory to a file, readable only by its owner (0600), and atomically replaces an existing
    /// file.
    ///
    /// - Parameter file: The file to write. For the recorder's own file, this is ``flush()``.
    /// - Throws: `.file` if that fails; an existing file is then unchanged.
    public func save(to file: URL) throws(NetworkError) {
        if let own = self.file, own.url.path == file.path { return try flush() }
        try PrivateFile(file, allowsSharedFolder: true).replace(with: data())
    }

    /// Writes what is recorded to the recorder's file, if it has one, including exchanges in progress.
    ///
    /// Blocks the thread while another recorder writes the file, for up to 10 s.
    ///
    /// - Throws: `.file` if that fails, or if the file has reached ``HAROptions/fileLimit`` or was replaced or changed by
    ///   another program.
    public func flush() throws(NetworkError) {
        try file?.flush(showing: entries.withLock(\.unfinished))
    }

    /// Removes all entries. The next one starts a new file, unless other recorders are writing it.
    public func removeAll() {
        entries.withLock { $0.removeAll() }
        file?.restart()
    }

    /// Records the call and its outcome.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let request = ObservedRequest(
            call, adding: next.fieldsAddedByTransport(to: call.request), text, at: options.now())
        let exchange = ObservedExchange(request)
        let progress = RecordedProgress(entries.withLock { $0.add(exchange) }, exchange, of: self)
        var call = call
        let handler = call.request.options.onEvent
        call.request.options.onEvent = { event in
            progress.note(event)
            handler?(event)
        }
        let start = timeline.now
        do throws(NetworkError) {
            let response = try await next(call)
            exchange.note(step(response, request.text, after: timeline.now - start, sent: call.request))
            let observed = captured(response, request.text, progress)
            progress.noteResponse(arrivesLater: observed.body.arrivesLater)
            return observed
        } catch {
            let time = timeline.now - start
            progress.note(request.text.adding(error.request ?? call.request).message(error), after: time)
            throw error
        }
    }

    /// - Parameter sent: The request that inner middlewares may have changed.
    private func step(
        _ response: HTTPResponse, _ text: HARText, after time: Duration, sent: HTTPRequest
    ) -> ObservedStep {
        let content = text.adding(response.request).responseContent(response.body, response.head.fields)
        let request = response.request.isCopy(of: sent) ? nil : response.request.alone
        return .response(response.head, content, response.metrics, request: request, after: time)
    }

    /// The response, of whose streamed body the start is recorded while it is read.
    private func captured(_ response: HTTPResponse, _ text: HARText, _ progress: RecordedProgress) -> HTTPResponse {
        guard options.bodyLimit > 0, case .incoming = response.body.storage else { return response }
        let text = text.adding(response.request)
        progress.awaitBody()
        let captured = CapturedBody(limit: options.bodyLimit)
        var response = response
        response.body = response.body.observed { [fields = response.head.fields] step in
            guard let (data, size, isWhole) = captured.add(step) else { return }
            progress.noteBody(text.responseContent(data, size: size, isWhole: isWhole, fields))
        }
        return response
    }

    /// Writes the entry of an exchange that has ended, once.
    func finish(_ number: UInt64) {
        guard let exchange = entries.withLock({ $0.finish(number) }) else { return }
        exchange.end()
        file?.append(exchange)
    }
}

/// What a ``HARRecorder`` records.
///
/// ```swift
/// var options = HAROptions()
/// options.bodyLimit = 64 << 10
/// let recorder = HARRecorder(file: file, options: options)
/// ```
public struct HAROptions: Sendable {
    /// The maximum number of entries in memory. 1000 by default; the oldest are removed. A file keeps all entries.
    public var entryLimit = 1000

    /// The maximum size of the file in bytes. 1 GiB by default, about a million entries without bodies.
    ///
    /// An entry that exceeds it, and all later ones, are not written; the recorder reports that once.
    public var fileLimit: Int64 = 1 << 30

    /// The maximum number of bytes recorded of each body. With 0, the default, only sizes are recorded.
    ///
    /// A streamed response is recorded as far as it is read. Files, and streams that are sent, are not recorded. Secrets
    /// in JSON and forms are redacted as in a log; other bodies are recorded unchanged.
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
