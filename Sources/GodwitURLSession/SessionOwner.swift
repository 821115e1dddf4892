import GodwitCore
import Synchronization

/// Makes a session, starts its tasks, and invalidates it once: a session holds its delegate until then.
final class SessionOwner: Sendable {
    let delegate: SessionDelegate
    /// Nil once it was invalidated; a task for an invalid session ends the process on Linux.
    private let session: Mutex<URLSession?>

    init(_ configuration: URLSessionConfiguration, _ security: SessionSecurity) {
        let delegate = SessionDelegate(security)
        self.delegate = delegate
        session = Mutex(URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegate.queue))
    }

    /// Starts the task of an exchange that was admitted, with its content where it has some.
    func start(_ exchange: Exchange) {
        switch exchange.request.body?.storage {
        case nil:
            run(exchange, .none)
        case .bytes(let data):
            run(exchange, .bytes(data))
        case .some:
            exchange.prepare { [self] in
                do throws(NetworkError) {
                    guard let body = exchange.request.body else { return }
                    run(exchange, try await Platform.content(of: body, for: exchange))
                } catch {
                    exchange.fail(error.kind, .sending, underlying: error.underlying)
                    delegate.remove(exchange)
                }
            }
        }
    }

    private func run(_ exchange: Exchange, _ content: UploadContent) {
        guard exchange.isOpen, let session = session.withLock(\.self) else {
            content.discard()
            exchange.fail(.shutdown, .building)
            return delegate.remove(exchange)
        }
        let task = Self.task(for: exchange, content, in: session)
        task.priority = Self.priority(exchange.request.options.priority)
        delegate.register(task, exchange)
        guard !exchange.attach(SessionTask(task, delegate.queue), content) else { return }
        content.discard()
        delegate.forget(task, exchange)
    }

    private static func task(
        for exchange: Exchange, _ content: UploadContent, in session: URLSession
    ) -> URLSessionTask {
        guard let upgrade = exchange.options.upgrade else { return content.task(for: exchange.urlRequest, in: session) }
        let task = session.webSocketTask(with: exchange.urlRequest)
        task.maximumMessageSize = upgrade.messageLimit
        return task
    }

    private static func priority(_ priority: RequestPriority) -> Float {
        switch priority {
        case .low: URLSessionTask.lowPriority
        case .normal: URLSessionTask.defaultPriority
        case .high: URLSessionTask.highPriority
        }
    }

    /// Ends exchanges as the mode says, and returns once none is left and the session has let go of its delegate.
    func shutDown(_ mode: ShutdownMode) async {
        let open = delegate.close()
        if mode == .cancelling { for exchange in open { exchange.cancel() } }
        await delegate.waitUntil(.idle)
        session.withLock { $0.take() }.map(Platform.invalidateIdle)
        await delegate.waitUntil(.invalid)
    }

    /// Nobody will send any more: what is under way finishes, and the session ends.
    func abandon() {
        _ = delegate.close()
        session.withLock { $0.take() }?.finishTasksAndInvalidate()
    }
}
