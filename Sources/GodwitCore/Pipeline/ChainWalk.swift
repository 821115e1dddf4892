/// Decides the next step of a call in a chain: inward to a middleware that can suspend or to the transport, then
/// outward. ``Next`` performs the steps.
struct ChainWalk: Sendable {
    enum Step: Sendable {
        /// Pass the call to a middleware that can suspend. `next` is the position after it.
        case handle(ChainLink.Handle, next: Int)
        /// Pass the call to the transport.
        case send
        /// Pause, then continue with ``ChainWalk/resend()``.
        case resend(after: (@Sendable () async throws(NetworkError) -> Void)?)
        /// Return to the caller.
        case finish(CallOutcome)
    }

    /// A middleware that reviews the outcome.
    private struct Reviewer {
        let review: ChainLink.Review
        /// The position after the middleware.
        let next: Int
        /// The call as the middleware sent it.
        let call: Call
        let sendings: Int
    }

    private let links: ChainLinks
    private var index: Int
    /// The call in its current form.
    private(set) var call: Call
    /// The reviewers to run on the way outward, outermost first.
    private var reviewers: [Reviewer] = []
    /// The reviewer that resends after the current pause.
    private var pausing: Reviewer?
    /// Whether the transport has the call.
    private var isAtTransport = false

    init(_ call: Call, _ links: ChainLinks, from index: Int) {
        self.links = links
        self.index = index
        self.call = call
    }

    /// Walks inward.
    mutating func start() -> Step {
        do throws(NetworkError) {
            return try inward()
        } catch {
            return step(after: .failure(error))
        }
    }

    private mutating func inward() throws(NetworkError) -> Step {
        isAtTransport = false
        while index < links.count {
            let link = links[index]
            index += 1
            guard link.handles(call) else { continue }
            switch link.work {
            case .handle(let handle): return .handle(handle, next: index)
            case .prepare(let prepare, let review):
                try prepare(&call)
                if let review { reviewers.append(Reviewer(review: review, next: index, call: call, sendings: 1)) }
            }
        }
        if let error = links.refusal(of: call) { throw error }
        isAtTransport = true
        return .send
    }

    /// Walks outward with an outcome, until a middleware resends the call or the outermost one has reviewed it.
    mutating func step(after outcome: CallOutcome) -> Step {
        var outcome = isAtTransport ? noting(outcome) : outcome
        isAtTransport = false
        while let reviewer = reviewers.popLast() {
            switch reviewer.review(outcome, reviewer.call, reviewer.sendings) {
            case .finish(let reviewed):
                outcome = reviewed
            case .resend(let again, let pause):
                pausing = Reviewer(
                    review: reviewer.review, next: reviewer.next, call: again,
                    sendings: reviewer.sendings.saturatingAdding(1))
                return .resend(after: pause)
            }
        }
        return .finish(outcome)
    }

    /// Walks inward again, after the pause.
    mutating func resend() -> Step {
        guard let reviewer = pausing else { return start() }
        pausing = nil
        reviewers.append(reviewer)
        (call, index) = (reviewer.call, reviewer.next)
        return start()
    }

    /// Adds the attempt number and redirect count. Most calls have neither.
    private func noting(_ outcome: CallOutcome) -> CallOutcome {
        guard call.redirectCount > 0 || call.attempt > 1 else { return outcome }
        switch outcome {
        case .success(var response):
            response.metrics.redirectCount = call.redirectCount
            response.metrics.attempt = call.attempt
            return .success(response)
        case .failure(var error):
            error.attempt = call.attempt
            return .failure(error)
        }
    }
}
