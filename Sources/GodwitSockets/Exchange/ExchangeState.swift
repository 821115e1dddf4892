#if os(Linux)
package import GodwitCore

/// The life of one exchange as a value: it takes events and decides what follows. ``Exchange`` carries that out.
package struct ExchangeState {
    enum Phase: Equatable {
        /// It waits for its turn, or for its origin to have room for a connection.
        case queued
        /// A connection is being made.
        case dialing
        /// The request goes out.
        case writing
        /// The request is sent, and no byte of the final head has been read.
        case awaiting
        /// The head of the response is complete.
        case receiving
        case over
    }

    /// What is known of a sending that failed.
    package struct Loss {
        package var evidence = Resending.Evidence.unknown
        /// Whether the connection had served another exchange.
        package var isReused = false
        /// Whether no byte of a response arrived.
        package var isSilent = true
        /// Whether the connection carries other exchanges too.
        package var isShared = false
        /// Whether the connection was given up for its silence, rather than lost: then ``Retry`` decides.
        package var isGivenUp = false

        package init(
            evidence: Resending.Evidence = .unknown, isReused: Bool = false, isSilent: Bool = true,
            isShared: Bool = false,
            isGivenUp: Bool = false
        ) {
            self.evidence = evidence
            self.isReused = isReused
            self.isSilent = isSilent
            self.isShared = isShared
            self.isGivenUp = isGivenUp
        }
    }

    /// What follows from a failure.
    package enum Next: Equatable {
        /// The exchange is over, for the reason that the connection gave.
        case fail
        /// The exchange is over, for this reason.
        case stop(String)
        /// The request is sent again; on a new connection if `isFresh`.
        case again(isFresh: Bool)
    }

    private(set) var phase = Phase.queued
    /// How often the request went out.
    package private(set) var sendCount = 0
    package private(set) var isCancelled = false
    /// Whether the next attempt gets a new connection.
    package private(set) var needsOwnConnection = false
    /// Whether the server refused `Expect: 100-continue`, so that the next attempt does without.
    private(set) var skipsExpectation = false
    private var resending: Resending

    /// - Parameter sendings: How often earlier attempts of the call sent the request.
    package init(after sendings: Int = 0) {
        resending = Resending(after: sendings)
    }

    /// How often the request was sent again after a loss.
    package var resendCount: Int { resending.count }
    package var isReceiving: Bool { phase == .receiving }
    package var isOver: Bool { phase == .over }
    /// Whether it has no connection yet.
    var isWaiting: Bool { phase == .queued || phase == .dialing }

    /// The phase that errors name.
    package var errorPhase: NetworkError.Phase {
        if isReceiving { return .receiving }
        return sendCount > 0 ? .sending : .connecting
    }

    // MARK: Events

    mutating func wait() { if phase != .over { phase = .queued } }
    package mutating func dial() { if phase == .queued { phase = .dialing } }
    package mutating func cancel() { isCancelled = true }
    mutating func finish() { phase = .over }

    /// The request goes out.
    mutating func send() {
        phase = .writing
        sendCount += 1
    }

    /// All of the request is sent.
    package mutating func sent() { if phase == .writing { phase = .awaiting } }

    /// The head of the final response is complete.
    mutating func receive() { if phase != .over { phase = .receiving } }

    /// The connection or the stream failed after the request began to go out.
    package mutating func lose(_ loss: Loss, _ method: HTTPMethod, isRepeatable: Bool) -> Next {
        guard !isCancelled, !loss.isGivenUp, phase == .writing || phase == .awaiting else { return .fail }
        if loss.evidence == .expectationFailed { skipsExpectation = true }
        guard loss.evidence == .expectationFailed || loss.evidence == .challenged || loss.isSilent else { return .fail }
        if loss.evidence == .unknown {
            // A kept connection broke: again, once in a call, if that is safe.
            guard loss.isReused, resending.isFirst else { return .fail }
        }
        switch resending.decide(loss.evidence, method: method.rawValue, isRepeatable: isRepeatable) {
        case .stop(let reason): return .stop(reason)
        case .again:
            // Other kept connections may be as dead. Of shared ones, the next is new anyway.
            needsOwnConnection =
                loss.evidence == .unread || loss.evidence == .refused(nil)
                || loss.evidence == .unknown && !loss.isShared
            phase = .queued
            return .again(isFresh: needsOwnConnection)
        }
    }
}
#endif
