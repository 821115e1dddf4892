#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// The life of one exchange as a value: it takes events and decides what follows. ``Exchange`` carries that out.
struct ExchangeState {
    enum Phase: Equatable {
        /// Not with libcurl yet. In one of the engine's queues until the limits, if there are any.
        case waiting(StartLimits?)
        /// libcurl makes or picks a connection.
        case connecting
        /// The request went out.
        case sent
        /// The head of the response is complete.
        case receiving
    }

    /// How an HTTP/2 stream ended, where libcurl's code doesn't tell.
    enum StreamEnd: Equatable {
        /// The server didn't process the request; with the GOAWAY that said so, if one did.
        case refused(Resending.GoAway?)
        /// Reset with NO_ERROR before the server ended it: the response is incomplete.
        case cut
        /// Reset with NO_ERROR after the server ended it, and before the request's body was sent: the response is complete.
        case answeredEarly
    }

    /// What follows from the end of a transfer.
    enum Next: Equatable {
        /// The exchange is over.
        case finish
        /// The exchange is over, for a reason that libcurl doesn't know.
        case fail(NetworkError.Kind)
        /// Nothing was sent on the chosen connection: libcurl gets the exchange again, for a new one.
        case connectElsewhere
        /// Nothing was sent, since there was no descriptor: idle connections are closed first.
        case makeRoom
        /// The request is sent again.
        case sendAgain
    }

    /// What the current attempt met. Forgotten when the request goes out again.
    private struct Attempt {
        var lackedDescriptor = false
        var metEndedConnection = false
        var failedExpectation = false
        var streamEnd: StreamEnd?
        /// Whether the server closed the connection before it read the request.
        var isUnread = false
        /// Whether libcurl sent it by itself, after what a kept connection lost.
        var isRepetition = false
    }

    private(set) var phase = Phase.waiting(nil)
    /// How often the request went out.
    private(set) var sendCount = 0
    /// Whether the caller gave up.
    private(set) var isCancelled = false
    /// Whether the exchange tries to reach its origin while others wait for the outcome.
    var isProbe = false
    /// Whether the next attempt gets a separate connection.
    private(set) var needsOwnConnection = false
    /// Whether the server refused `Expect: 100-continue`, so that the next attempt does without.
    private(set) var skipsExpectation = false
    private var attempt = Attempt()
    private var resending = Resending()
    private var detourCount = 0
    private var restartCount = 0

    private static let mostDetours = 3
    private static let mostRestarts = 3

    /// Until when the exchange waits in a queue; nil if it doesn't.
    var wait: StartLimits? {
        if case .waiting(let limits) = phase { limits } else { nil }
    }

    var isReceiving: Bool {
        if case .receiving = phase { true } else { false }
    }

    /// Whether a response is awaited.
    var isAwaitingResponse: Bool { sendCount > 0 && !isReceiving }

    /// The phase that errors name.
    var errorPhase: NetworkError.Phase {
        if isReceiving { return .receiving }
        return sendCount > 0 ? .sending : .connecting
    }

    var streamEnd: StreamEnd? { attempt.streamEnd }

    /// Whether libcurl sent the request by itself, after what a kept connection lost.
    var isRepetition: Bool { attempt.isRepetition }

    private var isRefused: Bool {
        if case .refused? = attempt.streamEnd { true } else { false }
    }
}

// Events.
extension ExchangeState {
    /// The exchange entered a queue, or left it.
    mutating func wait(until limits: StartLimits?) {
        phase = .waiting(limits)
    }

    /// libcurl gets the exchange.
    mutating func start() {
        phase = .connecting
        attempt = Attempt()
    }

    mutating func cancel() {
        isCancelled = true
    }

    /// The system had no descriptor for the socket.
    mutating func lackDescriptor() {
        attempt.lackedDescriptor = true
    }

    /// libcurl chose a connection that was shut down.
    mutating func meetEndedConnection() {
        attempt.metEndedConnection = true
    }

    mutating func streamEnded(_ end: StreamEnd) {
        attempt.streamEnd = end
    }

    /// The server closed the connection before it read the request.
    mutating func leaveUnread() {
        attempt.isUnread = true
    }

    /// The request is about to go out; whether it may.
    ///
    /// - Parameter lost: What is known if libcurl sends by itself what a kept connection lost, whatever the method.
    mutating func send(_ method: HTTPMethod, isRepeatable: Bool, lost: () -> Report) -> Resending.Decision {
        let isRepetition = phase != .connecting
        if isRepetition {
            let decision = resending.decide(
                evidence(lost()), method: method.rawValue, isRepeatable: isRepeatable)
            guard decision == .again else { return decision }
        }
        phase = .sent
        attempt = Attempt(isRepetition: isRepetition)
        sendCount += 1
        return .again
    }

    /// The head of the final response is complete.
    mutating func receive() {
        phase = .receiving
    }

    /// The server answered `Expect: 100-continue` with 417.
    mutating func failExpectation() {
        attempt.failedExpectation = true
        skipsExpectation = true
    }

    /// A transfer ended.
    mutating func end(_ report: Report) -> Next {
        guard report.code != CURLE_OK || isRefused else { return .finish }
        if attempt.metEndedConnection { return detour() }
        if sendCount == 0 { return report.isDecided ? .finish : restart(report) }
        guard !report.isDecided, !isCancelled, !isReceiving, report.isHTTP else { return .finish }
        return sendAgain(report)
    }

    private mutating func detour() -> Next {
        detourCount += 1
        guard detourCount <= Self.mostDetours else {
            return .fail(.transport(.connectionLost("only closed connections are kept")))
        }
        // An earlier sending still counts: libcurl may have been about to repeat it.
        attempt.metEndedConnection = false
        return .connectElsewhere
    }

    private mutating func restart(_ report: Report) -> Next {
        guard attempt.lackedDescriptor || report.lacksDescriptors() else { return .finish }
        restartCount += 1
        guard restartCount <= Self.mostRestarts else { return .fail(.transport(.tooManyOpenFiles)) }
        start()
        return .makeRoom
    }

    private mutating func sendAgain(_ report: Report) -> Next {
        let evidence = evidence(report)
        if evidence == .unknown {
            // A kept connection broke, and libcurl didn't try again by itself: once, if that is safe.
            guard report.isReused, report.isRepeatable, resending.count == 0, report.isSilent,
                report.code == CURLE_SEND_ERROR || report.code == CURLE_RECV_ERROR
            else { return .finish }
        }
        switch resending.decide(evidence, method: report.method.rawValue, isRepeatable: report.isRepeatable) {
        case .stop(let reason): return .fail(.transport(.connectionLost(reason)))
        case .again:
            needsOwnConnection = evidence == .unread || evidence == .refused(nil)
            start()
            return .sendAgain
        }
    }

    /// What is known about a sending that failed.
    private func evidence(_ report: Report) -> Resending.Evidence {
        if attempt.failedExpectation, !isReceiving { return .expectationFailed }
        guard report.isSilent else { return .unknown }
        if case .refused(let goAway)? = attempt.streamEnd { return .refused(goAway) }
        return report.isReused && attempt.isUnread ? .unread : .unknown
    }

    /// Whether libcurl 7.88 can't use a shared connection any more: the connection failed as a whole, or within a head.
    ///
    /// - Parameter failure: Why the exchange gave up, if it did.
    func leavesConnectionBroken(_ code: CURLcode, _ failure: NetworkError.Kind?) -> Bool {
        if case .tooLarge? = failure, !isReceiving { return true }
        return failure == nil && !isRefused && (code == CURLE_RECV_ERROR || code == CURLE_HTTP2)
    }
}

extension ExchangeState {
    /// What is known about a transfer that ended.
    struct Report {
        var code: CURLcode
        var method = HTTPMethod.get
        /// Whether sending the request twice does no harm.
        var isRepeatable = true
        /// Whether the exchange gave up for a reason of ours.
        var isDecided = false
        /// False for an exchange that leaves HTTP.
        var isHTTP = true
        /// Whether the connection had served another exchange.
        var isReused = false
        /// Whether no byte of a response arrived.
        var isSilent = true
        /// Whether the process has no descriptor left.
        var lacksDescriptors: () -> Bool = { false }
    }
}
#endif
