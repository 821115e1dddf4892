import GodwitCore
import GodwitLibc

/// Serves the redirect listener until the response arrives or the loop is stopped. Blocks its thread.
///
/// Limits: 8 connections, of which the oldest is closed for a new one, 16 KiB for a request head, and 100 other
/// requests.
struct LoopbackExchange {
    private struct Connection {
        let socket: LoopbackSocket
        // A code and its state are far shorter.
        var reader = RequestHeadReader(limit: 16 << 10)
    }

    private static let connectionLimit = 8
    private static let requestLimit = 100

    private let listener: LoopbackSocket
    private let waker: LoopbackSocket
    private let expected: (authority: String, path: String)
    private let request: AuthorizationRequest
    private var connections: [Connection] = []
    private var requestCount = 0

    /// - Parameters:
    ///   - url: The redirect URL. Requests for another host or path are refused.
    ///   - waker: Stops the loop when it becomes readable.
    init(
        _ listener: LoopbackSocket, at url: HTTPURL, for request: AuthorizationRequest, stoppedBy waker: LoopbackSocket
    ) {
        self.listener = listener
        self.waker = waker
        self.request = request
        expected = ("\(url.host):\(url.port)", url.path)
    }

    /// The response; `nil` if the loop was stopped.
    mutating func run() -> Result<AuthorizationCode, NetworkError>? {
        while true {
            guard let ready = waitForInput() else { return nil }
            for index in ready.reversed() {
                if let outcome = serve(index) { return outcome }
            }
            guard requestCount <= Self.requestLimit else {
                let reason = "the redirect listener received \(requestCount) requests without an authorization response"
                return .failure(NetworkError(.invalidResponse(reason: reason), phase: .receiving))
            }
            acceptAll()
        }
    }

    /// Waits for readable connections, and returns their indices; `nil` if the loop is stopped.
    private func waitForInput() -> [Int]? {
        let descriptors = [waker.descriptor, listener.descriptor] + connections.map(\.socket.descriptor)
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&polled, nfds_t(polled.count), -1) < 0 {
            guard errno == EINTR else { return nil }
        }
        guard polled[0].revents == 0 else { return nil }
        return connections.indices.filter { polled[$0 + 2].revents != 0 }
    }

    private mutating func acceptAll() {
        while let socket = listener.accept() {
            if connections.count == Self.connectionLimit { connections.removeFirst() }
            connections.append(Connection(socket: socket))
        }
    }

    private mutating func serve(_ index: Int) -> Result<AuthorizationCode, NetworkError>? {
        guard let bytes = connections[index].socket.read() else { return nil }
        guard !bytes.isEmpty else {
            connections.remove(at: index)
            return nil
        }
        let step = bytes.withUnsafeBytes { bytes in
            var rest = bytes
            return connections[index].reader.read(&rest)
        }
        let (reply, outcome) = answer(to: step)
        guard let reply else { return nil }
        requestCount += 1
        connections.remove(at: index).socket.finish(reply.bytes)
        return outcome
    }

    private func answer(
        to step: RequestHeadReader.Step
    ) -> (LoopbackReply?, Result<AuthorizationCode, NetworkError>?) {
        switch step {
        case .incomplete: return (nil, nil)
        case .refused: return (.malformed, nil)
        case .complete(let head):
            let target = head.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            // Prevents DNS rebinding: another host's name that resolves to this address.
            guard head.fields[.host]?.asciiLowercased == expected.authority, target[0] == expected.path else {
                return (.notFound, nil)
            }
            guard head.method == .get else { return (.methodNotAllowed, nil) }
            return outcome(of: request.answer(target.count > 1 ? String(target[1]) : ""))
        }
    }

    /// Any process can send a response of another sign-in; it must not end this one.
    private func outcome(
        of answer: AuthorizationResponse
    ) -> (LoopbackReply?, Result<AuthorizationCode, NetworkError>?) {
        if case .foreign = answer { return (.foreign, nil) }
        do throws(NetworkError) {
            return (.signedIn, .success(try request.code(in: answer)))
        } catch {
            return (.refused, .failure(error))
        }
    }
}
