/// The lifetime and age of responses (RFC 9111 section 4.2). All times are in seconds.
enum Freshness {
    /// The maximum heuristic lifetime: a day, after which section 4.2.2 once required a warning.
    static let longestGuess: TimeInterval = 86_400

    /// The lifetime: `max-age`, otherwise `Expires`, otherwise heuristic (section 4.2.1).
    static func lifetime(
        status: HTTPStatus, fields: HTTPFields, control: CacheControl, made: Date, now: Date
    ) -> TimeInterval {
        if let maxAge = control.maxAge { return TimeInterval(maxAge) }
        if let expires = fields.values(of: .expires).first {
            // An invalid date, such as "0", means expired (section 5.3). So does a server whose own date is invalid.
            guard fields.agreedValue(of: .date).map({ HTTPDate.parse($0, now: now) != nil }) ?? !fields.contains(.date)
            else { return 0 }
            return HTTPDate.parse(expires, now: now).map { max(0, $0.timeIntervalSince(made)) } ?? 0
        }
        guard status.isHeuristicallyCacheable || control.allowsStoring else { return 0 }
        return guess(fields, made: made, now: now)
    }

    /// The age of a response on arrival: the larger of the clock difference and `Age` (section 4.2.3).
    static func initialAge(made: Date, age: Int, requestTime: Date, responseTime: Date) -> TimeInterval {
        let apparent = max(0, responseTime.timeIntervalSince(made))
        let delay = max(0, responseTime.timeIntervalSince(requestTime))
        return max(apparent, TimeInterval(age) + delay)
    }

    /// A tenth of the time since the last modification (section 4.2.2).
    private static func guess(_ fields: HTTPFields, made: Date, now: Date) -> TimeInterval {
        guard let changed = fields.agreedValue(of: .lastModified).flatMap({ HTTPDate.parse($0, now: now) }) else {
            return 0
        }
        return min(longestGuess, max(0, made.timeIntervalSince(changed) / 10))
    }
}

extension CachedResponse {
    /// The age of the response in seconds (RFC 9111 section 4.2.3). If the clock was set back, at least the age on arrival.
    public func age(at now: Date) -> TimeInterval {
        initialAge + max(0, now.timeIntervalSince(responseTime))
    }

    /// How long the response has been stale, in seconds; negative while it is fresh.
    package func staleness(at now: Date) -> TimeInterval {
        age(at: now) - lifetime
    }
}

extension HTTPStatus {
    /// Whether a response may be stored without explicit permission (RFC 9110 section 15.1). Without 206: partial
    /// responses aren't stored.
    var isHeuristicallyCacheable: Bool {
        switch code {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }
}
