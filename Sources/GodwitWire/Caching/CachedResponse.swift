/// A response as a cache keeps it: what the server sent, when, and which requests it answers.
///
/// ```swift
/// for stored in await store.responses(for: url) { print(stored.status, stored.byteCount) }
/// ```
public struct CachedResponse: Sendable, Hashable {
    /// The URL that was requested.
    public let url: HTTPURL

    /// The values of the request fields that `Vary` names, in a form of its own; responses for one URL that differ in
    /// this stand side by side (RFC 9111 section 4.1). Holds what these fields hold: treat it as secret.
    public let variant: String

    /// The status.
    public let status: HTTPStatus

    /// The fields, without those that belong to one connection (RFC 9111 section 3.1).
    public let fields: HTTPFields

    /// The content, its codings undone.
    public let body: Data

    /// When the request was sent, by the clock of this machine.
    public let requestTime: Date

    /// When the response came, by the clock of this machine.
    public let responseTime: Date

    /// What `Cache-Control` says.
    package let control: CacheControl

    /// For how long the response is fresh, from its making, in seconds (RFC 9111 section 4.2.1).
    package let lifetime: TimeInterval

    /// How old the response was when it came, in seconds (RFC 9111 section 4.2.3).
    package let initialAge: TimeInterval

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
        self.url = url
        self.variant = variant
        self.status = status
        self.fields = fields
        self.body = body
        self.requestTime = requestTime
        self.responseTime = responseTime
        control = CacheControl(fields)
        let made = fields[.date].flatMap { HTTPDate.parse($0, now: responseTime) } ?? responseTime
        lifetime = Freshness.lifetime(status: status, fields: fields, control: control, made: made, now: responseTime)
        initialAge = Freshness.initialAge(
            made: made, age: DeltaSeconds.age(fields), requestTime: requestTime, responseTime: responseTime)
    }

    /// About how many bytes the response takes in memory.
    public var byteCount: Int {
        let lines = fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 48 }
        return body.count + lines + url.absoluteString.utf8.count + variant.utf8.count + 256
    }
}
