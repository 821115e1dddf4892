import GodwitCore
import Synchronization

/// What URLSession talks to: finds the exchange that a task is of, and keeps count of those that are not over.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    /// What ``waitUntil(_:)`` can wait for.
    enum Condition {
        /// No exchange is under way.
        case idle
        /// The session has let go of this.
        case invalid
    }

    private struct State: Sendable {
        var open: [ObjectIdentifier: Exchange] = [:]
        var byTask: [Int: Exchange] = [:]
        var isClosed = false
        var isInvalid = false
        var waiting: [(Condition, UnsafeContinuation<Void, Never>)] = []

        func holds(_ condition: Condition) -> Bool {
            switch condition {
            case .idle: open.isEmpty
            case .invalid: isInvalid
            }
        }

        mutating func takeServed() -> [UnsafeContinuation<Void, Never>] {
            let all = waiting
            waiting = all.filter { !holds($0.0) }
            return all.filter { holds($0.0) }.map(\.1)
        }
    }

    /// One callback at a time, in order.
    let queue: OperationQueue
    private let security: SessionSecurity
    private let state = Mutex(State())

    init(_ security: SessionSecurity) {
        self.security = security
        queue = OperationQueue()
        queue.name = "godwit.urlsession"
        queue.maxConcurrentOperationCount = 1
        // A queue without a class may run as background work does.
        queue.qualityOfService = .userInitiated
        super.init()
    }

    /// Counts an exchange as under way; false after ``close()``.
    func admit(_ exchange: Exchange) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.open[ObjectIdentifier(exchange)] = exchange
            return true
        }
    }

    /// Says which task an exchange has.
    func register(_ task: URLSessionTask, _ exchange: Exchange) {
        state.withLock { $0.byTask[task.taskIdentifier] = exchange }
    }

    /// A task that never ran is of no exchange any more.
    func forget(_ task: URLSessionTask, _ exchange: Exchange) {
        end { state in
            state.byTask[task.taskIdentifier] = nil
            state.open[ObjectIdentifier(exchange)] = nil
        }
    }

    /// An exchange without a task is over.
    func remove(_ exchange: Exchange) {
        end { $0.open[ObjectIdentifier(exchange)] = nil }
    }

    /// Takes no exchange any more; those that are still under way.
    func close() -> [Exchange] {
        state.withLock { state in
            state.isClosed = true
            return Array(state.open.values)
        }
    }

    /// Returns once something is so.
    func waitUntil(_ condition: Condition) async {
        await withUnsafeContinuation { continuation in
            let holds = state.withLock { state in
                let holds = state.holds(condition)
                if !holds { state.waiting.append((condition, continuation)) }
                return holds
            }
            if holds { continuation.resume() }
        }
    }

    func exchange(of task: URLSessionTask) -> Exchange? {
        state.withLock { $0.byTask[task.taskIdentifier] }
    }

    private func end(_ change: (inout State) -> Void) {
        let served = state.withLock { state in
            change(&state)
            return state.takeServed()
        }
        for continuation in served { continuation.resume() }
    }

    // MARK: What URLSession says

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let goesOn = exchange(of: dataTask)?.receive(response) ?? false
        completionHandler(goesOn ? .allow : .cancel)
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
        // Never followed: the redirect itself becomes the response.
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
        // Where a server was refused in another exchange's challenge, this one is said to be cancelled.
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
        // A close frame without a code has none here either.
        exchange(of: webSocketTask)?.hear(SessionSocket.farewell(closeCode, reason) ?? CloseContent(.noStatus))
    }
}
