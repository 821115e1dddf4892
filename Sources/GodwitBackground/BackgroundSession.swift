import GodwitCore
import Synchronization

/// Downloads and uploads that continue after the program has ended or was killed.
///
/// ```swift
/// let session = BackgroundSession(identifier: "com.example.reader.sync")
/// try await session.download(request, to: folder)
/// for try await event in session.events {
///     show(event.outcome)
///     try await session.acknowledge(event)
/// }
/// ```
///
/// Another process does the work. On Linux it is `godwit-transferd`, one per user: it is started when needed, detached from
/// the program, and ends when its queue is empty. If it is killed, it continues when the next program uses a session; each
/// job runs once. On Apple platforms it is the system (`URLSessionConfiguration.background`), and the program passes on the
/// system's callback to `handleEvents(forBackgroundURLSession:completionHandler:)`.
///
/// Events are kept until the program acknowledges them, even while it isn't running. After a restart, a session with the
/// same identifier has the same jobs and events.
///
/// Creating a session has no side effects. Any number of tasks may use it.
public final class BackgroundSession: Sendable {
    /// Identifies the session across restarts of the program.
    public let identifier: String

    /// The configuration of the session.
    public let configuration: BackgroundConfiguration

    private let link: any TransferLink

    /// Creates a session, which has the jobs and events of earlier ones with its identifier.
    ///
    /// - Parameters:
    ///   - identifier: A name that is unique among all programs of the user, such as `com.example.reader.sync`: 1 to 200
    ///     bytes of printable ASCII. With any other, every call throws `.invalidRequest`.
    ///   - diagnostics: Receives a report if the queue was damaged and jobs were lost. No effect on Apple platforms.
    ///   - configure: Changes the configuration.
    public init(
        identifier: String, diagnostics: Diagnostics = .shared,
        configure: (inout BackgroundConfiguration) -> Void = { _ in }
    ) {
        var configuration = BackgroundConfiguration()
        configure(&configuration)
        self.identifier = identifier
        self.configuration = configuration
        link = PlatformLink.make(identifier, configuration, diagnostics)
    }

    /// Creates a session that uses this link.
    package init(identifier: String, link: any TransferLink) {
        self.identifier = identifier
        configuration = BackgroundConfiguration()
        self.link = link
    }

    /// Hands over a download. Returns when the job is saved; an event reports its result.
    ///
    /// - Parameters:
    ///   - request: The request, without a body. Its fields, credentials included, are kept until the job has ended, in a
    ///     file that only this user can read; logs and lists don't show them.
    ///   - destination: A file, or a folder: one that exists, or a URL that ends with a slash. See
    ///     `APIClient.download(_:to:configure:)`.
    ///   - configure: Changes the options.
    /// - Throws: `.invalidRequest` if the request can't be handed over; `.file` if no process can be started.
    @discardableResult
    public nonisolated(nonsending) func download(
        _ request: HTTPRequest, to destination: URL, configure: (inout BackgroundJobOptions) -> Void = { _ in }
    ) async throws(NetworkError) -> BackgroundJob.ID {
        var options = BackgroundJobOptions()
        configure(&options)
        return try await add(TransferSpec(download: request, to: destination, options, configuration))
    }

    /// Hands over an upload, whose body is the content of a file. Returns when the job is saved; an event reports its result.
    ///
    /// Don't change the file until the job has ended. A request with a method that is not idempotent, such as POST, is not
    /// sent again if the server may have received it: the job fails with `interrupted`. If the request has an
    /// `Idempotency-Key` that the server supports, it is sent until there is a response.
    ///
    /// - Throws: What ``download(_:to:configure:)`` throws, and `.file` if the file can't be read.
    @discardableResult
    public nonisolated(nonsending) func upload(
        _ request: HTTPRequest, fromFile file: URL, configure: (inout BackgroundJobOptions) -> Void = { _ in }
    ) async throws(NetworkError) -> BackgroundJob.ID {
        var options = BackgroundJobOptions()
        configure(&options)
        return try await add(TransferSpec(upload: request, fromFile: file, options, configuration))
    }

    /// The jobs that have not ended, or whose event is not acknowledged, oldest first.
    public func jobs() async throws(NetworkError) -> [BackgroundJob] {
        var (jobs, last) = ([BackgroundJob](), Int64(0))
        while true {
            let reply = try await link.send(.list(identifier, after: last))
            jobs += reply.jobs ?? []
            guard let next = reply.next else { return jobs }
            last = next
        }
    }

    /// Pauses a job. The received part of a download is kept; an upload restarts later.
    ///
    /// No effect on a job that has ended, or on a running upload that must not be sent twice.
    ///
    /// - Parameter id: The ID of the job.
    public func pause(_ id: BackgroundJob.ID) async throws(NetworkError) {
        _ = try await link.send(.pause(identifier, id))
    }

    /// Resumes a paused job.
    ///
    /// - Parameter id: The ID of the job.
    public func resume(_ id: BackgroundJob.ID) async throws(NetworkError) {
        _ = try await link.send(.resume(identifier, id))
    }

    /// Cancels a job and discards what a download has received. Its event says that it was canceled.
    ///
    /// - Parameter id: The ID of the job.
    public func cancel(_ id: BackgroundJob.ID) async throws(NetworkError) {
        _ = try await link.send(.cancel(identifier, id))
    }

    /// The results of the jobs: the events that are not acknowledged, then new ones.
    ///
    /// If the transferring process ends meanwhile, the loop continues without repeating an event.
    public var events: BackgroundEvents { BackgroundEvents(link) }

    /// The events so far that are not acknowledged, oldest first.
    public func missedEvents() async throws(NetworkError) -> [BackgroundEvent] {
        var events: [BackgroundEvent] = []
        while true {
            let reply = try await link.send(.missed(identifier, after: events.last?.id ?? 0))
            guard let more = reply.events, !more.isEmpty else { return events }
            events += more
        }
    }

    /// Acknowledges an event, and removes it and its job. Succeeds if it was removed before.
    public func acknowledge(_ event: BackgroundEvent) async throws(NetworkError) {
        _ = try await link.send(.acknowledge(identifier, event.id))
    }

    /// Ends the program's work with the session: it isn't relaunched for the events so far, all ``events`` loops of this
    /// session end, and the connection closes.
    ///
    /// Jobs continue. You can use the session again afterwards.
    public func finish() async throws(NetworkError) {
        _ = try await link.send(.finish(identifier))
        link.close()
    }

    /// Closes the connection, like the end of the program. You can use the session again afterwards.
    package func leave() {
        link.close()
    }

    private func add(_ spec: TransferSpec) async throws(NetworkError) -> BackgroundJob.ID {
        _ = try await link.send(.add(identifier, spec))
        return spec.id
    }
}
