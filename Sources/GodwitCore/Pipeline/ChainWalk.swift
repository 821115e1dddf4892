import GodwitSupport

/// Decides the next step of a call in a chain: inward to a middleware that can suspend or to the transport, then
/// outward. ``Next`` performs the steps.
struct ChainWalk: Sendable {
    enum Step: Sendable {
        /// Pass the call to a middleware that can suspend. `next` is the link after it.
        case handle(ChainLink.Handle, next: ChainLink?)
        /// Pass the call to the transport.
        case send
        /// Pause, then continue with ``ChainWalk/resend(_:)``.
        case resend(Reviewer, after: (@Sendable () async throws(NetworkError) -> Void)?)
        /// Return to the caller.
        case finish(CallOutcome)
    }

    /// A middleware that reviews the outcome.
    struct Reviewer: Sendable {
        let review: ChainLink.Review
        /// The link after the middleware.
        let next: ChainLink?
        /// The call as the middleware sent it.
        let call: Call
        let sendings: Int
    }

    private let links: ChainLinks
    /// The call in its current form.
    var call: Call
    /// The reviewers to run on the way outward, outermost first.
    private var reviewers: [Reviewer] = []
    /// Whether the transport has the call.
    private var isAtTransport = false

    init(_ call: Call, _ links: ChainLinks) {
        self.links = links
        self.call = call
    }

    /// Whether a middleware reviews the outcome.
    var isReviewed: Bool { !reviewers.isEmpty }

    /// Walks inward.
    mutating func start(at link: ChainLink?) -> Step {
        do throws(NetworkError) {
            if let step = try link?.enter(&self) { return step }
            if let error = links.refusal(of: call) { throw error }
            isAtTransport = true
            return .send
        } catch {
            return step(after: .failure(error))
        }
    }

    /// Registers a middleware that has prepared the call.
    mutating func add(_ review: @escaping ChainLink.Review, before next: ChainLink?) {
        if reviewers.isEmpty { reviewers.reserveCapacity(4) }
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
            case .resend(var again, let pause):
                again.request.adoptSecrets(of: outcome.request)
                let next = Reviewer(
                    review: reviewer.review, next: reviewer.next, call: again,
                    sendings: reviewer.sendings.saturatingAdding(1))
                return .resend(next, after: pause)
            }
        }
        return .finish(outcome)
    }

    /// Walks inward again, after the pause.
    mutating func resend(_ reviewer: Reviewer) -> Step {
        reviewers.append(reviewer)
        call = reviewer.call
        return start(at: reviewer.next)
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
