import GodwitSupport

/// Decides the next step of a call in a chain: inward to a middleware that can suspend or to the transport, then
/// outward. ``ChainLinks/send(_:from:)`` performs the steps.
///
/// A step is two words, and its functions aren't inlined: the frame that performs them waits at each middleware that can
/// suspend, and one that doesn't fit into a task's memory is allocated for each call (decision 138).
struct ChainWalk: Sendable {
    enum Step: Sendable {
        /// Pass the call to a middleware that can suspend.
        case handle(ChainLink)
        /// Wait until a middleware admits the call, then continue with ``ChainWalk/continue(with:of:in:)``.
        case wait(ChainLink)
        /// Pass the call to the transport.
        case send
        /// Pause, then continue with ``ChainWalk/resend(in:)``.
        case resend(after: (@Sendable () async throws(NetworkError) -> Void)?)
        /// Return to the caller.
        case finish(CallOutcome)
    }

    /// A middleware that reviews the outcome.
    private struct Reviewer: Sendable {
        /// Not counted as a reference: the caller of ``ChainLinks/send(_:from:)`` keeps the links, which all calls share
        /// (decision 144).
        let link: Unmanaged<ChainLink>
        /// The call as the middleware sent it.
        var call: Call
        var sendings = 1
    }

    /// What is left to do on the way outward.
    private enum Exit: Sendable {
        case review(Reviewer)
        case end(Admission.End)
    }

    private enum Place {
        case inChain, atTransport
        /// A middleware has answered.
        case answered(HTTPResponse)
        /// The last reviewer sends its call again.
        case pausing
    }

    /// The call in its current form.
    var call: Call
    /// Outermost first.
    private var exits: [Exit] = []
    private var place = Place.inChain

    init(_ call: Call) { self.call = call }

    /// Whether a middleware of the walk sees the outcome.
    var isReviewed: Bool { !exits.isEmpty }

    /// Walks inward.
    @inline(never)
    mutating func start(at link: ChainLink?, of links: ChainLinks) -> Step {
        do throws(NetworkError) {
            if let link = try link?.enter(&self, links) { return link.admitsLater ? .wait(link) : .handle(link) }
            if case .answered(let response) = place { return step(after: .success(response)) }
            if let error = links.refusal(of: call) { throw error }
            place = .atTransport
            return .send
        } catch {
            return step(after: .failure(error))
        }
    }

    /// Registers a middleware that has prepared the call.
    mutating func add(_ reviewer: ChainLink) {
        add(.review(Reviewer(link: .passUnretained(reviewer), call: call)))
    }

    /// Registers what follows from an admission. Returns whether the call continues.
    mutating func add(_ admission: Admission) -> Bool {
        switch admission.effect {
        case .none: break
        case .end(let end): add(.end(end))
        case .answer(let response):
            place = .answered(response)
            return false
        }
        return true
    }

    private mutating func add(_ exit: Exit) {
        if exits.isEmpty { exits.reserveCapacity(4) }
        exits.append(exit)
    }

    /// Walks inward from a middleware that has admitted the call after it waited.
    @inline(never)
    mutating func `continue`(with admission: Admission, of link: ChainLink, in links: ChainLinks) -> Step {
        start(at: add(admission) ? link.next : nil, of: links)
    }

    /// Walks outward with an outcome, until a middleware resends the call or the outermost one has reviewed it.
    @inline(never)
    mutating func step(after outcome: CallOutcome) -> Step {
        var outcome = outcome
        switch place {
        case .inChain, .answered: break
        case .atTransport: outcome = noting(outcome)
        case .pausing: exits.removeLast()
        }
        place = .inChain
        while let exit = exits.popLast() {
            switch exit {
            case .end(let end): outcome = end(consume outcome)
            case .review(let reviewer):
                let review = reviewer.link._withUnsafeGuaranteedRef {
                    $0.review(outcome, reviewer.call, reviewer.sendings)
                }
                switch review {
                case .finish(let reviewed): outcome = reviewed
                case .resend(let again, let pause):
                    pauseBefore(again, reviewer, after: outcome)
                    return .resend(after: pause)
                }
            }
        }
        return .finish(outcome)
    }

    private mutating func pauseBefore(_ call: Call, _ former: Reviewer, after outcome: CallOutcome) {
        var reviewer = former
        reviewer.call = call
        reviewer.call.request.adoptSecrets(of: outcome.request)
        reviewer.sendings = reviewer.sendings.saturatingAdding(1)
        exits.append(.review(reviewer))
        place = .pausing
    }

    /// Walks inward again, after the pause.
    @inline(never)
    mutating func resend(in links: ChainLinks) -> Step {
        place = .inChain
        guard case .review(let reviewer)? = exits.last else { return start(at: nil, of: links) }
        call = reviewer.call
        return start(at: reviewer.link.takeUnretainedValue().next, of: links)
    }

    /// Adds the call's numbers. Most calls have none.
    private func noting(_ outcome: CallOutcome) -> CallOutcome {
        guard call.redirectCount > 0 || call.attempt > 1 || call.upgradeCount > 0 else { return outcome }
        switch outcome {
        case .success(var response):
            var metrics = response.metrics
            if call.redirectCount > 0 { metrics.redirectCount = call.redirectCount }
            if call.upgradeCount > 0 { metrics.upgradeCount = call.upgradeCount }
            if call.attempt > 1 { metrics.attempt = call.attempt }
            response.metrics = metrics
            return .success(response)
        case .failure(var error):
            error.attempt = call.attempt
            return .failure(error)
        }
    }
}

extension CallOutcome {
    /// The request as it was sent.
    fileprivate var request: HTTPRequest? {
        switch self {
        case .success(let response): response.request
        case .failure(let error): error.request
        }
    }
}
