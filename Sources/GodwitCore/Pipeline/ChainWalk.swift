/// Decides the next step of a call in a chain: inward to a middleware that can suspend or to the transport, then
/// outward. ``Next`` performs the steps.
struct ChainWalk: Sendable {
    enum Step: Sendable {
        /// Pass the call to a middleware that can suspend. `next` is the link after it.
        case handle(ChainLink.Handle, next: ChainLink?)
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
        /// The link after the middleware.
        let next: ChainLink?
        /// The call as the middleware sent it.
        let call: Call
        let sendings: Int
    }

    private let links: ChainLinks
    /// The start of the next walk inward; `nil` for the transport.
    private var link: ChainLink?
    /// The call in its current form.
    var call: Call
    /// The reviewers to run on the way outward, outermost first.
    private var reviewers: [Reviewer] = []
    /// The reviewer that resends after the current pause.
    private var pausing: Reviewer?
    /// Whether the transport has the call.
    private var isAtTransport = false

    init(_ call: Call, _ links: ChainLinks, from link: ChainLink?) {
        self.links = links
        self.link = link
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
        if let step = try link?.enter(&self) { return step }
        if let error = links.refusal(of: call) { throw error }
        isAtTransport = true
        return .send
    }

    /// Registers a middleware that has prepared the call.
    mutating func add(_ review: @escaping ChainLink.Review, before next: ChainLink?) {
        reviewers.append(Reviewer(review: review, next: next, call: call, sendings: 1))
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
        (call, link) = (reviewer.call, reviewer.next)
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
