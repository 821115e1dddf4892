/// For how long a response is fresh, and how old it is (RFC 9111 section 4.2). All times are in seconds.
enum Freshness {
    /// The most that is guessed: a day, after which section 4.2.2 once asked for a warning.
    static let longestGuess: TimeInterval = 86_400

    /// `max-age`, else `Expires`, else a guess (section 4.2.1).
    static func lifetime(
        status: HTTPStatus, fields: HTTPFields, control: CacheControl, made: Date, now: Date
    ) -> TimeInterval {
        if let maxAge = control.maxAge { return TimeInterval(maxAge) }
        if let expires = fields.values(of: .expires).first {
            // A date that cannot be read, "0" above all, lies in the past (section 5.3).
            // So does one that the server's own date, which cannot be read either, gives no meaning to.
            guard fields.agreedValue(of: .date).map({ HTTPDate.parse($0, now: now) != nil }) ?? !fields.contains(.date)
            else { return 0 }
            return HTTPDate.parse(expires, now: now).map { max(0, $0.timeIntervalSince(made)) } ?? 0
        }
        guard status.isHeuristicallyCacheable || control.allowsStoring else { return 0 }
        return guess(fields, made: made, now: now)
    }

    /// How old a response was on arrival: the larger of what the clocks and what `Age` say (section 4.2.3).
    static func initialAge(made: Date, age: Int, requestTime: Date, responseTime: Date) -> TimeInterval {
        let apparent = max(0, responseTime.timeIntervalSince(made))
        let delay = max(0, responseTime.timeIntervalSince(requestTime))
        return max(apparent, TimeInterval(age) + delay)
    }

    /// A tenth of the time since the last change (section 4.2.2).
    private static func guess(_ fields: HTTPFields, made: Date, now: Date) -> TimeInterval {
        guard let changed = fields.agreedValue(of: .lastModified).flatMap({ HTTPDate.parse($0, now: now) }) else {
            return 0
        }
        return min(longestGuess, max(0, made.timeIntervalSince(changed) / 10))
    }
}

extension CachedResponse {
    /// How old the response is, in seconds (section 4.2.3). A clock that was set back makes nothing younger than it was
    /// on arrival.
    package func age(at now: Date) -> TimeInterval {
        initialAge + max(0, now.timeIntervalSince(responseTime))
    }

    /// For how long the response has been stale, in seconds; negative while it is fresh, 0 when it just no longer is.
    package func staleness(at now: Date) -> TimeInterval {
        age(at: now) - lifetime
    }
}

extension HTTPStatus {
    /// Whether a response may be stored although it does not say so (RFC 9110 section 15.1). 206 is not among them,
    /// as parts are not stored.
    var isHeuristicallyCacheable: Bool {
        switch code {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }
}
