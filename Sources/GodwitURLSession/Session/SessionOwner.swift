import GodwitCore
import Synchronization

/// Creates a session, starts its tasks, and invalidates it once. A session retains its delegate until then.
final class SessionOwner: Sendable {
    let delegate: SessionDelegate
    /// `nil` after invalidation: on Linux, a task for an invalid session crashes the process.
    private let session: Mutex<URLSession?>

    init(_ configuration: URLSessionConfiguration, _ security: SessionSecurity) {
        let delegate = SessionDelegate(security)
        self.delegate = delegate
        session = Mutex(URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegate.queue))
    }

    /// Starts the task of a registered exchange, with its body if there is one.
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
                    run(exchange, try await Platform.content(of: body))
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

    /// Ends exchanges according to the mode. Returns when none is left and the session has released its delegate.
    func shutDown(_ mode: ShutdownMode) async {
        let open = delegate.close()
        if mode == .cancelling { for exchange in open { exchange.cancel() } }
        await delegate.waitUntil(.idle)
        session.withLock { $0.take() }.map(Platform.invalidateIdle)
        await delegate.waitUntil(.invalid)
    }

    /// Rejects further exchanges. Those in progress finish, then the session ends.
    func abandon() {
        _ = delegate.close()
        session.withLock { $0.take() }?.finishTasksAndInvalidate()
    }
}
