/// How many more requests a server accepts, from the fields of a response.
///
/// Reads `RateLimit` (draft-ietf-httpapi-ratelimit-headers, in the forms before and since version 8), and the pairs
/// `RateLimit-Remaining` and `RateLimit-Reset`, `X-RateLimit-…` and `X-Rate-Limit-…`. A reset is a number of seconds,
/// or a Unix time, as GitHub and others send it. `Backoff`, which Kinto and others of Mozilla send with any response, asks for
/// no request for so many seconds.
struct ServerAllowance: Sendable, Hashable {
    /// The number of requests until the reset.
    var remaining: Int
    /// The time until the reset.
    var reset: Duration

    init(remaining: Int, reset: Duration) {
        self.remaining = remaining
        self.reset = reset
    }

    /// Reads the fields of a response; `nil` if they contain no complete allowance.
    init?(_ fields: HTTPFields) {
        if let pause = fields[Self.backoff].flatMap(Self.number) {
            self.init(remaining: 0, reset: Self.delay(pause, fields.serverTime))
            return
        }
        if let value = fields[Self.structured], let found = Self.tightest(value, fields.serverTime) {
            self = found
            return
        }
        for names in Self.pairs {
            guard let remaining = fields.values(of: names.remaining).first,
                let reset = fields.values(of: names.reset).first
            else { continue }
            guard let found = Self(remaining: remaining, reset: reset, now: fields.serverTime) else { return nil }
            self = found
            return
        }
        return nil
    }

    private init?(remaining: String?, reset: String?, now: Date) {
        guard let remaining = remaining.flatMap(Self.number), let reset = reset.flatMap(Self.number) else { return nil }
        self.remaining = Int(min(remaining, 1e9))
        self.reset = Self.delay(reset, now)
    }

    private static let backoff: HTTPField.Name = "Backoff"
    private static let structured: HTTPField.Name = "RateLimit"
    private static let pairs: [(remaining: HTTPField.Name, reset: HTTPField.Name)] = [
        ("RateLimit-Remaining", "RateLimit-Reset"), ("X-RateLimit-Remaining", "X-RateLimit-Reset"),
        ("X-Rate-Limit-Remaining", "X-Rate-Limit-Reset"),
    ]

    /// The smallest of several allowances.
    private static func tightest(_ value: String, _ now: Date) -> ServerAllowance? {
        let members = value.split(separator: ",").map(pairs)
        // In the older form, commas separate the parts of one allowance.
        let old = members.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        if let found = Self(remaining: old["remaining"], reset: old["reset"], now: now) { return found }
        return members.compactMap { Self(remaining: $0["r"], reset: $0["t"], now: now) }
            .min { ($0.remaining, $1.reset) < ($1.remaining, $0.reset) }
    }

    /// The parameters in `a=1; b=2`.
    private static func pairs(_ member: Substring) -> [String: String] {
        let parts = member.split(separator: ";").map { $0.split(separator: "=", maxSplits: 1) }
        let pairs = parts.filter { $0.count == 2 }
            .map { (String($0[0]).trimmingBlanks.asciiLowercased, String($0[1]).trimmingBlanks) }
        return Dictionary(pairs) { first, _ in first }
    }

    private static func number(_ text: String) -> Double? {
        let text = text.trimmingBlanks
        guard let first = text.utf8.first, (0x30...0x39).contains(first), let number = Double(text), number.isFinite
        else { return nil }
        return number
    }

    private static func delay(_ reset: Double, _ now: Date) -> Duration {
        // A delay in seconds, a Unix time in seconds, or one in milliseconds.
        let seconds =
            switch reset {
            case ..<1e9: reset
            case ..<1e12: reset - now.timeIntervalSince1970
            default: reset / 1000 - now.timeIntervalSince1970
            }
        return .seconds(min(max(0, seconds), 1e9))
    }
}
