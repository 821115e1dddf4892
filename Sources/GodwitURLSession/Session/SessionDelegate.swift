import GodwitCore
import GodwitSupport
import Synchronization

/// The delegate of a session: finds the exchange of a task, and tracks exchanges in progress.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    /// The conditions of ``waitUntil(_:)``.
    enum Condition {
        /// No exchange is in progress.
        case idle
        /// The session has released the delegate.
        case invalid
    }

    private struct State: Sendable {
        var open: [ObjectIdentifier: Exchange] = [:]
        var byTask: [Int: Exchange] = [:]
        var isClosed = false
        var isInvalid = false
        var idle = Waiters<Void>()
        var invalid = Waiters<Void>()

        /// Registers a waiter; `nil` if the condition already holds.
        mutating func wait(for condition: Condition) -> Waiter<Void>? {
            switch condition {
            case .idle: open.isEmpty ? nil : idle.add()
            case .invalid: isInvalid ? nil : invalid.add()
            }
        }

        mutating func takeServed() -> [Waiter<Void>] {
            (open.isEmpty ? idle.takeAll() : []) + (isInvalid ? invalid.takeAll() : [])
        }
    }

    /// Runs one callback at a time, in order.
    let queue: OperationQueue
    private let security: SessionSecurity
    private let state = Mutex(State())

    init(_ security: SessionSecurity) {
        self.security = security
        queue = OperationQueue()
        queue.name = "godwit.urlsession"
        queue.maxConcurrentOperationCount = 1
        // Without a class, the queue may run with background priority.
        queue.qualityOfService = .userInitiated
        super.init()
    }

    /// Registers an exchange; false after ``close()``.
    func admit(_ exchange: Exchange) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.open[ObjectIdentifier(exchange)] = exchange
            return true
        }
    }

    /// Associates a task with an exchange.
    func register(_ task: URLSessionTask, _ exchange: Exchange) {
        state.withLock { $0.byTask[task.taskIdentifier] = exchange }
    }

    /// Removes a task that never ran, and its exchange.
    func forget(_ task: URLSessionTask, _ exchange: Exchange) {
        end { state in
            state.byTask[task.taskIdentifier] = nil
            state.open[ObjectIdentifier(exchange)] = nil
        }
    }

    /// Removes an exchange.
    func remove(_ exchange: Exchange) {
        end { $0.open[ObjectIdentifier(exchange)] = nil }
    }

    /// Rejects further exchanges; returns those in progress.
    func close() -> [Exchange] {
        state.withLock { state in
            state.isClosed = true
            return Array(state.open.values)
        }
    }

    /// Waits for a condition.
    func waitUntil(_ condition: Condition) async {
        let waiter = state.withLock { $0.wait(for: condition) }
        await waiter?.value()
    }

    func exchange(of task: URLSessionTask) -> Exchange? {
        state.withLock { $0.byTask[task.taskIdentifier] }
    }

    private func end(_ change: (inout State) -> Void) {
        let served = state.withLock { state in
            change(&state)
            return state.takeServed()
        }
        for waiter in served { waiter.resume() }
    }

    // MARK: Callbacks

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let isAccepted = exchange(of: dataTask)?.receive(response) ?? false
        completionHandler(isAccepted ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.noteSent(bytesSent)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // Redirects are never followed here: the redirect itself becomes the response.
        if let exchange = exchange(of: task), exchange.options.upgrade != nil { exchange.refuse(response) }
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        security.answer(challenge, for: exchange(of: task)) { completionHandler($0.disposition, $0.credential) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = state.withLock({ $0.byTask.removeValue(forKey: task.taskIdentifier) }) else { return }
        // If another exchange's challenge refused the server, this one is reported as canceled.
        if (error as? URLError)?.code == .cancelled, let refusal = security.refusal(of: exchange.request.url.host) {
            exchange.fail(.insecure(refusal), .connecting, underlying: error)
        }
        exchange.complete(error, response: task.response)
        remove(exchange)
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        end { $0.isInvalid = true }
    }
}

extension SessionDelegate: URLSessionWebSocketDelegate {
    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
    ) {
        exchange(of: webSocketTask)?.open(
            SessionSocket(webSocketTask, queue), webSocketTask.response, subprotocol: `protocol`)
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
        // `noStatus` stands for a close frame without a code.
        exchange(of: webSocketTask)?.receiveClose(
            SessionSocket.closeFrame(closeCode, reason) ?? CloseContent(.noStatus))
    }
}

/// The answer to an authentication challenge.
struct ChallengeDisposition: Sendable {
    var disposition: URLSession.AuthChallengeDisposition
    var credential: URLCredential?

    /// Default handling by the system.
    static let byDefault = ChallengeDisposition(disposition: .performDefaultHandling)
    /// Skip the challenge: the response with the challenge is returned to the caller.
    static let passed = ChallengeDisposition(disposition: .rejectProtectionSpace)
    /// Refuse the connection.
    static let refused = ChallengeDisposition(disposition: .cancelAuthenticationChallenge)
}
