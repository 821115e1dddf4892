import GodwitSupport

/// The options in which an endpoint differs from its client, for a ``DownloadTicket``. For `nil`, the client's value counts.
struct TicketOptions: Sendable, Hashable {
    /// A closure (`decide`) can't be saved. Without it, redirects are blocked, as it might have rejected them.
    enum Redirects: Sendable, Hashable {
        case follow, block, decide
        case followUp(to: Int)
    }

    var connect: Duration?
    var inactivity: Duration?
    var total: Duration?
    var encodedLimit: Int64?
    var decodedLimit: Int64?
    var redirects: Redirects?
    var sendsCookies: Bool?
    var sendsCredentials: Bool?
    /// The maximum number of attempts; 1 for no retry.
    var attempts: Int?
    var priority: RequestPriority?
    var allowedNetworks: NetworkAllowance?
    var connectivity: ConnectivityPolicy?
    var acceptedStatuses: Set<Int>?
    var isCacheOnly: Bool?

    init() {}

    /// The differences between a request's options and its client's.
    init(_ options: RequestOptions, unlike defaults: RequestOptions) {
        func own<Value: Equatable>(_ value: Value, _ other: Value) -> Value? { value == other ? nil : value }
        connect = own(options.timeouts.connect, defaults.timeouts.connect)
        inactivity = own(options.timeouts.inactivity, defaults.timeouts.inactivity)
        // The client's total timeout doesn't apply to downloads.
        total = options.timeouts.total
        encodedLimit = own(options.responseLimit.encoded, defaults.responseLimit.encoded) ?? nil
        decodedLimit = own(options.responseLimit.decoded, defaults.responseLimit.decoded) ?? nil
        redirects = Self.redirects(options.redirects, unlike: defaults.redirects)
        sendsCookies = own(options.cookies, defaults.cookies).map { $0 == .automatic }
        sendsCredentials = own(options.authentication, defaults.authentication).map { $0 == .required }
        attempts = own(options.retry, defaults.retry).flatMap { Self.attempts($0) }
        priority = own(options.priority, defaults.priority)
        allowedNetworks = own(options.allowedNetworks, defaults.allowedNetworks)
        connectivity = own(options.connectivity, defaults.connectivity) ?? nil
        acceptedStatuses = own(options.acceptedStatuses, defaults.acceptedStatuses)
        isCacheOnly = options.cachePolicy == .cacheOnly ? true : nil
    }

    /// Overrides a client's options.
    func apply(to options: inout RequestOptions) {
        options.timeouts.connect = connect ?? options.timeouts.connect
        options.timeouts.inactivity = inactivity ?? options.timeouts.inactivity
        options.timeouts.total = total
        options.responseLimit.encoded = encodedLimit ?? options.responseLimit.encoded
        options.responseLimit.decoded = decodedLimit ?? options.responseLimit.decoded
        switch redirects {
        case .follow: options.redirects = .follow
        case .followUp(let limit): options.redirects = .followUp(to: limit)
        case .block, .decide: options.redirects = .block
        case nil: break
        }
        if let sendsCookies { options.cookies = sendsCookies ? .automatic : .off }
        if let sendsCredentials { options.authentication = sendsCredentials ? .required : .none }
        if let attempts { options.retry = attempts > 1 ? .attempts(attempts) : .never }
        options.priority = priority ?? options.priority
        options.allowedNetworks = allowedNetworks ?? options.allowedNetworks
        options.connectivity = connectivity ?? options.connectivity
        options.acceptedStatuses = acceptedStatuses ?? options.acceptedStatuses
        if isCacheOnly == true { options.cachePolicy = .cacheOnly }
    }

    private static func attempts(_ rule: RetryOverride?) -> Int? {
        switch rule {
        case nil: nil
        case .never: 1
        case .attempts(let count): max(1, count)
        }
    }

    private static func redirects(_ policy: RedirectPolicy, unlike other: RedirectPolicy) -> Redirects? {
        switch (policy, other) {
        case (.follow, .follow), (.block, .block): nil
        case (.followUp(let limit), .followUp(let otherLimit)) where limit == otherLimit: nil
        // The client that resumes has its own closure.
        case (.decide, .decide): nil
        case (.follow, _): .follow
        case (.block, _): .block
        case (.followUp(let limit), _): .followUp(to: limit)
        case (.decide, _): .decide
        }
    }
}

extension TicketOptions: Codable {
    private enum Key: String, CodingKey {
        case connect, inactivity, total, encodedLimit, decodedLimit, redirects, redirectLimit, sendsCookies
        case sendsCredentials, attempts, priority, allowedNetworks, connectivity, waitLimit, acceptedStatuses,
            isCacheOnly
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func duration(_ key: Key) throws -> Duration? {
            try values.decodeIfPresent(Double.self, forKey: key).map { .bounded(seconds: $0) }
        }
        connect = try duration(.connect)
        inactivity = try duration(.inactivity)
        total = try duration(.total)
        encodedLimit = try values.decodeIfPresent(Int64.self, forKey: .encodedLimit)
        decodedLimit = try values.decodeIfPresent(Int64.self, forKey: .decodedLimit)
        redirects = try Self.redirects(values)
        sendsCookies = try values.decodeIfPresent(Bool.self, forKey: .sendsCookies)
        sendsCredentials = try values.decodeIfPresent(Bool.self, forKey: .sendsCredentials)
        attempts = try values.decodeIfPresent(Int.self, forKey: .attempts)
        priority = try Self.priority(values)
        allowedNetworks = try values.decodeIfPresent(UInt8.self, forKey: .allowedNetworks)
            .map { NetworkAllowance(rawValue: $0) }
        connectivity = try Self.connectivity(values, limit: try duration(.waitLimit))
        acceptedStatuses = try values.decodeIfPresent(Set<Int>.self, forKey: .acceptedStatuses)
        isCacheOnly = try values.decodeIfPresent(Bool.self, forKey: .isCacheOnly)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        for (duration, key) in [(connect, Key.connect), (inactivity, .inactivity), (total, .total)] {
            try values.encodeIfPresent(duration.map { $0.bounded / .seconds(1) }, forKey: key)
        }
        try values.encodeIfPresent(encodedLimit, forKey: .encodedLimit)
        try values.encodeIfPresent(decodedLimit, forKey: .decodedLimit)
        try encodeRedirects(to: &values)
        try values.encodeIfPresent(sendsCookies, forKey: .sendsCookies)
        try values.encodeIfPresent(sendsCredentials, forKey: .sendsCredentials)
        try values.encodeIfPresent(attempts, forKey: .attempts)
        try values.encodeIfPresent(priority.map(Self.name), forKey: .priority)
        try values.encodeIfPresent(allowedNetworks?.rawValue, forKey: .allowedNetworks)
        try encodeConnectivity(to: &values)
        try values.encodeIfPresent(acceptedStatuses?.sorted(), forKey: .acceptedStatuses)
        try values.encodeIfPresent(isCacheOnly, forKey: .isCacheOnly)
    }

    private typealias Values = KeyedDecodingContainer<Key>

    private static func redirects(_ values: Values) throws -> Redirects? {
        switch try values.decodeIfPresent(String.self, forKey: .redirects) {
        case nil: nil
        case "follow": .follow
        case "followUp": .followUp(to: try values.decode(Int.self, forKey: .redirectLimit))
        case "decide": .decide
        // For values of a later version.
        default: .block
        }
    }

    private func encodeRedirects(to values: inout KeyedEncodingContainer<Key>) throws {
        switch redirects {
        case nil: break
        case .follow: try values.encode("follow", forKey: .redirects)
        case .block: try values.encode("block", forKey: .redirects)
        case .decide: try values.encode("decide", forKey: .redirects)
        case .followUp(let limit):
            try values.encode("followUp", forKey: .redirects)
            try values.encode(limit, forKey: .redirectLimit)
        }
    }

    private static func priority(_ values: Values) throws -> RequestPriority? {
        try values.decodeIfPresent(String.self, forKey: .priority).map { name in
            [.low, .high].first { Self.name($0) == name } ?? .normal
        }
    }

    private static func name(_ priority: RequestPriority) -> String {
        switch priority {
        case .low: "low"
        case .normal: "normal"
        case .high: "high"
        }
    }

    private static func connectivity(_ values: Values, limit: Duration?) throws -> ConnectivityPolicy? {
        switch try values.decodeIfPresent(String.self, forKey: .connectivity) {
        case nil: nil
        case "attempt": .attempt
        case "wait": .wait(upTo: limit)
        default: .failFast
        }
    }

    private func encodeConnectivity(to values: inout KeyedEncodingContainer<Key>) throws {
        switch connectivity {
        case nil: break
        case .attempt: try values.encode("attempt", forKey: .connectivity)
        case .failFast: try values.encode("failFast", forKey: .connectivity)
        case .wait(let limit):
            try values.encode("wait", forKey: .connectivity)
            try values.encodeIfPresent(limit.map { $0.bounded / .seconds(1) }, forKey: .waitLimit)
        }
    }
}
