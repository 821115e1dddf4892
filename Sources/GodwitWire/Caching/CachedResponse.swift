/// A response as a cache keeps it: what the server sent, when, and which requests it answers.
///
/// ```swift
/// for stored in await store.responses(for: url) { print(stored.status, stored.byteCount) }
/// ```
public struct CachedResponse: Sendable, Hashable {
    /// The URL that was requested.
    public var url: HTTPURL { parts.url }

    /// The values of the request fields that `Vary` names, in a form of its own; responses for one URL that differ in
    /// this stand side by side (RFC 9111 section 4.1). Holds what these fields hold: treat it as secret.
    public var variant: String { parts.variant }

    /// The status.
    public var status: HTTPStatus { parts.status }

    /// The fields, without those that belong to one connection (RFC 9111 section 3.1).
    public var fields: HTTPFields { parts.fields }

    /// The content, its codings undone.
    public var body: Data { parts.body }

    /// When the request was sent, by the clock of this machine.
    public var requestTime: Date { parts.requestTime }

    /// When the response came, by the clock of this machine.
    public var responseTime: Date { parts.responseTime }

    /// What `Cache-Control` says.
    package var control: CacheControl { parts.control }

    /// For how long the response is fresh, from its making, in seconds (RFC 9111 section 4.2.1).
    package var lifetime: TimeInterval { parts.lifetime }

    /// How old the response was when it came, in seconds (RFC 9111 section 4.2.3).
    package var initialAge: TimeInterval { parts.initialAge }

    private struct Parts: Sendable, Hashable {
        let url: HTTPURL
        let variant: String
        let status: HTTPStatus
        let fields: HTTPFields
        let body: Data
        let requestTime: Date
        let responseTime: Date
        let control: CacheControl
        let lifetime: TimeInterval
        let initialAge: TimeInterval
        let byteCount: Int
    }

    private let shared: Shared<Parts>

    private var parts: Parts { shared.value }

    /// Makes a response from its parts, as a store that kept them does.
    ///
    /// - Parameters:
    ///   - url: What was asked for.
    ///   - variant: Which of several responses for the URL it is, made of the request fields that `Vary` names.
    ///   - status: The status.
    ///   - fields: The fields that are kept.
    ///   - body: The content, its content codings undone.
    ///   - requestTime: When the request was sent (RFC 9111 section 4.2.3).
    ///   - responseTime: When the response came.
    public init(
        url: HTTPURL, variant: String, status: HTTPStatus, fields: HTTPFields, body: Data, requestTime: Date,
        responseTime: Date
    ) {
        let control = CacheControl(fields)
        let made = fields[.date].flatMap { HTTPDate.parse($0, now: responseTime) } ?? responseTime
        let lifetime = Freshness.lifetime(
            status: status, fields: fields, control: control, made: made, now: responseTime)
        let initialAge = Freshness.initialAge(
            made: made, age: DeltaSeconds.age(fields), requestTime: requestTime, responseTime: responseTime)
        shared = Shared(
            Parts(
                url: url, variant: variant, status: status, fields: fields, body: body, requestTime: requestTime,
                responseTime: responseTime, control: control, lifetime: lifetime, initialAge: initialAge,
                byteCount: Self.byteCount(of: fields, body) + url.absoluteString.utf8.count + variant.utf8.count))
    }

    /// About how many bytes the response takes in memory.
    public var byteCount: Int { parts.byteCount }

    private static func byteCount(of fields: HTTPFields, _ body: Data) -> Int {
        fields.reduce(body.count + 256) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 48 }
    }
}

extension CachedResponse {
    /// Whether two are the same in all that they keep.
    public static func == (left: Self, right: Self) -> Bool {
        left.shared === right.shared || left.parts == right.parts
    }

    /// Hashes all that is kept.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(parts)
    }
}
