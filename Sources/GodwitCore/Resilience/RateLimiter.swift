/// Decides when calls are sent, in place of a client's own throttle: for a limit that several processes share.
///
/// ```swift
/// $0.rateLimit = .custom(limiter)
/// ```
///
/// Implementations must return within the given time, and must not send calls through the client that they limit.
public protocol RateLimiter: AnyObject, Sendable {
    /// Returns when a call to the origin may be sent.
    ///
    /// - Parameters:
    ///   - origin: The origin of the request.
    ///   - longestWait: How long the call may wait.
    /// - Throws: `.rateLimited` if the wait would be longer, `.cancelled` if the task is canceled while waiting.
    func admit(_ origin: Origin, longestWait: Duration) async throws(NetworkError)

    /// Ends a call that was admitted. Must not block.
    ///
    /// - Parameters:
    ///   - origin: The origin of the request.
    ///   - limit: What the server's response said about its limit; `nil` if nothing, or if no response arrived.
    func end(_ origin: Origin, _ limit: ServerLimit?)
}

/// What a server's response says about its own limit.
public struct ServerLimit: Sendable, Hashable {
    /// How long to send nothing, after a 429 or 503. `nil` if the response doesn't ask for a pause.
    public var pause: Duration?

    /// How many more calls the server accepts until ``reset``, from `RateLimit` and similar fields. `nil` if unknown.
    public var remaining: Int?

    /// The time until ``remaining`` is replaced. `nil` if unknown.
    public var reset: Duration?

    /// Creates a limit as a response states it.
    ///
    /// - Parameters:
    ///   - pause: How long to send nothing. `nil` by default.
    ///   - remaining: How many more calls the server accepts. `nil` by default.
    ///   - reset: The time until then. `nil` by default.
    public init(pause: Duration? = nil, remaining: Int? = nil, reset: Duration? = nil) {
        self.pause = pause
        self.remaining = remaining
        self.reset = reset
    }

    /// Reads a response from the server; `nil` if there is none, or if it says nothing about a limit.
    init?(_ head: HTTPResponseHead?) {
        guard let head else { return nil }
        let allowance = ServerAllowance(head.fields)
        // A 503 means that the server is overloaded for all requests (RFC 9110 section 15.6.4).
        let isForAll = head.status == .tooManyRequests || head.status == .serviceUnavailable
        var pause = isForAll ? head.retryAfter : nil
        if head.status == .tooManyRequests, pause == nil { pause = allowance?.reset }
        guard pause != nil || allowance != nil else { return nil }
        self.init(pause: pause, remaining: allowance?.remaining, reset: allowance?.reset)
    }
}

extension RateRule: Hashable {
    /// Whether both are the same rule, or the same limiter.
    public static func == (left: RateRule, right: RateRule) -> Bool {
        switch (left, right) {
        case (.tokenBucket(let left, let burst), .tokenBucket(let right, let other)): left == right && burst == other
        case (.slidingWindow(let left, let span), .slidingWindow(let right, let other)): left == right && span == other
        case (.learned, .learned): true
        case (.custom(let left), .custom(let right)): left === right
        default: false
        }
    }

    /// Hashes the rule's numbers, or the identity of its limiter.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .tokenBucket(let rate, let burst):
            hasher.combine(rate)
            hasher.combine(burst)
        case .slidingWindow(let count, let span):
            hasher.combine(count)
            hasher.combine(span)
        case .learned: hasher.combine(0)
        case .custom(let limiter): hasher.combine(ObjectIdentifier(limiter))
        }
    }
}
