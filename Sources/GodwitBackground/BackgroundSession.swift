import GodwitCore
import Synchronization

/// Downloads and uploads that go on when the program has ended, or was killed.
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
/// A process of its own does the work. On Linux it is `godwit-transferd`, one for each user, which is started when it is
/// needed, detached from the program, and ends by itself when nothing is left to do. What it has accepted it does
/// once, also where it is killed meanwhile: it goes on with the next program that uses a session. On Apple's systems it
/// is the system's own (`URLSessionConfiguration.background`); the program hands the system's callback to
/// `handleEvents(forBackgroundURLSession:completionHandler:)`.
///
/// Only files are moved. What happened is kept until the program has acknowledged it, so that one that was away learns
/// of it later. A session is known by its identifier: after a restart a program makes one with the same identifier, and
/// has its jobs and events.
///
/// Making a session does nothing yet. It may be used from any number of tasks at once.
public final class BackgroundSession: Sendable {
    /// What the session is known by, from one run of the program to the next.
    public let identifier: String

    /// What the session was made with.
    public let configuration: BackgroundConfiguration

    private let link: any TransferLink

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - identifier: A name of its own among all programs of the user, such as `com.example.reader.sync`: 1 to 200
    ///     bytes of printable ASCII. Another one makes every call throw `.invalidRequest`.
    ///   - diagnostics: Receives a report if the queue was damaged and jobs are lost. Has no effect on Apple's systems.
    ///   - configure: Changes ``BackgroundConfiguration``.
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

    /// Makes a session for which somebody else transfers.
    package init(identifier: String, link: any TransferLink) {
        self.identifier = identifier
        configuration = BackgroundConfiguration()
        self.link = link
    }

    /// Hands over a download. Returns once the job is written down, and then survives this program's end.
    ///
    /// - Parameters:
    ///   - request: What to ask for, without content. Fields that hold credentials are kept with the job until it has
    ///     ended, in a file that only this user may read; neither logs nor lists show them.
    ///   - destination: A file, or a folder: one that exists, or a URL that ends with a slash; see
    ///     ``APIClient/download(_:to:configure:)``.
    ///   - configure: Changes ``BackgroundJobOptions``.
    ///
    /// Throws `.invalidRequest` for a request that cannot be handed over, and `.file` where there is no process to
    /// hand it to. Whether the download itself succeeds, an event tells.
    @discardableResult
    public nonisolated(nonsending) func download(
        _ request: HTTPRequest, to destination: URL, configure: (inout BackgroundJobOptions) -> Void = { _ in }
    ) async throws(NetworkError) -> BackgroundJob.ID {
        var options = BackgroundJobOptions()
        configure(&options)
        return try await add(TransferSpec(download: request, to: destination, options, configuration))
    }

    /// Hands over an upload: the file's content becomes the request's.
    ///
    /// The file has to stay as it is until the job has ended. A method that is not idempotent, such as POST, is not sent
    /// again where the server may have received it: the job fails with `interrupted`. With an `Idempotency-Key` of
    /// yours, for a server that knows it, it is sent until it is answered.
    ///
    /// Throws as ``download(_:to:configure:)`` does, and `.file` where the file cannot be read.
    @discardableResult
    public nonisolated(nonsending) func upload(
        _ request: HTTPRequest, fromFile file: URL, configure: (inout BackgroundJobOptions) -> Void = { _ in }
    ) async throws(NetworkError) -> BackgroundJob.ID {
        var options = BackgroundJobOptions()
        configure(&options)
        return try await add(TransferSpec(upload: request, fromFile: file, options, configuration))
    }

    /// The jobs that have not ended, and those that have while their event is not acknowledged; the oldest first.
    public func jobs() async throws(NetworkError) -> [BackgroundJob] {
        var (jobs, last) = ([BackgroundJob](), Int64(0))
        while true {
            let reply = try await link.send(.list(identifier, after: last))
            jobs += reply.jobs ?? []
            guard let next = reply.next else { return jobs }
            last = next
        }
    }

    /// Stops a job for now; what a download has received is kept, an upload begins anew.
    ///
    /// Nothing happens to a job that has ended, nor to an upload that is under way and must not be sent twice.
    ///
    /// - Parameter id: The job.
    public func pause(_ id: BackgroundJob.ID) async throws(NetworkError) {
        _ = try await link.send(.pause(identifier, id))
    }

    /// Goes on with a job that was paused.
    ///
    /// - Parameter id: The job.
    public func resume(_ id: BackgroundJob.ID) async throws(NetworkError) {
        _ = try await link.send(.resume(identifier, id))
    }

    /// Gives a job up and throws away what a download has received. Its event says that it was cancelled.
    ///
    /// - Parameter id: The job.
    public func cancel(_ id: BackgroundJob.ID) async throws(NetworkError) {
        _ = try await link.send(.cancel(identifier, id))
    }

    /// What became of the jobs: first the events that are not acknowledged yet, then each as it happens.
    ///
    /// Goes on, without telling an event again, where the transferring process ends meanwhile.
    public var events: BackgroundEvents { BackgroundEvents(link) }

    /// The events that are there by now and not acknowledged, the oldest first.
    public func missedEvents() async throws(NetworkError) -> [BackgroundEvent] {
        var events: [BackgroundEvent] = []
        while true {
            let reply = try await link.send(.missed(identifier, after: events.last?.id ?? 0))
            guard let more = reply.events, !more.isEmpty else { return events }
            events += more
        }
    }

    /// Says that an event needs not be told again, and forgets its job. An event that is gone is no error.
    ///
    /// - Parameter event: The event.
    public func acknowledge(_ event: BackgroundEvent) async throws(NetworkError) {
        _ = try await link.send(.acknowledge(identifier, event.id))
    }

    /// Says that the program has done what it was started for: it is not started again for events that are there by
    /// now, all ``events`` of this session end, and the connection is closed.
    ///
    /// Jobs go on. The session can be used again afterwards.
    public func finish() async throws(NetworkError) {
        _ = try await link.send(.finish(identifier))
        link.close()
    }

    /// Closes the connection, as the end of the program does. The session can be used again afterwards.
    package func leave() {
        link.close()
    }

    private func add(_ spec: TransferSpec) async throws(NetworkError) -> BackgroundJob.ID {
        _ = try await link.send(.add(identifier, spec))
        return spec.id
    }
}
