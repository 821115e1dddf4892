/// How a cache handled a request: a member of the `Cache-Status` field (RFC 9211).
///
/// ```swift
/// for status in response.head.fields.cacheStatus { print(status) }      // CDN; fwd=stale; fwd-status=304
/// print(response.metrics.cacheStatus?.isHit ?? false)                    // the client's own cache
/// ```
public struct CacheStatus: Sendable, Hashable, Nonisolated {
    /// Why a cache passed a request on (RFC 9211 section 2.2).
    public struct ForwardReason: RawRepresentable, Sendable, Hashable {
        /// The token in the field.
        public let rawValue: String

        /// Creates a reason from the token in the field.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The cache doesn't handle this request.
        public static let bypass = Self(rawValue: "bypass")
        /// The method isn't answered from a cache.
        public static let method = Self(rawValue: "method")
        /// Nothing is stored for the URL.
        public static let uriMiss = Self(rawValue: "uri-miss")
        /// What is stored for the URL is for other request fields (`Vary`).
        public static let varyMiss = Self(rawValue: "vary-miss")
        /// Nothing is stored that the request could have.
        public static let miss = Self(rawValue: "miss")
        /// The request didn't allow the stored response.
        public static let request = Self(rawValue: "request")
        /// The stored response is stale.
        public static let stale = Self(rawValue: "stale")
        /// Only a part of the response is stored.
        public static let partial = Self(rawValue: "partial")
    }

    /// The name of the cache.
    public var cache: String

    /// Whether the cache answered without passing the request on.
    public var isHit = false

    /// Why the request was passed on (`fwd`). `nil` if it wasn't, or the cache doesn't say.
    public var forwardReason: ForwardReason?

    /// The status that the next server answered with, if it differs from the response's (`fwd-status`).
    public var forwardStatus: HTTPStatus?

    /// The remaining time for which the response is fresh, in seconds; negative if it is stale (`ttl`).
    public var timeToLive: Int?

    /// Whether the cache stored the response (`stored`).
    public var isStored = false

    /// Whether the cache joined the request with others (`collapsed`).
    public var isCollapsed = false

    /// The key of the response in the cache (`key`). `nil` if the cache doesn't say.
    public var key: String?

    /// More details, in words of the cache (`detail`). `nil` if there are none.
    public var detail: String?

    /// Creates a status with only the name of the cache: neither a hit nor forwarded.
    ///
    /// - Parameter cache: The cache's name.
    public init(cache: String) {
        self.cache = cache
    }
}

extension HTTPFields {
    /// What caches say about a response (RFC 9211): the one closest to the origin server first. At most 64; empty if the field
    /// is missing or invalid.
    ///
    /// Anything on the way can write the field.
    public var cacheStatus: [CacheStatus] {
        guard let value = self[.cacheStatus], let members = StructuredParser.list(value) else { return [] }
        return members.prefix(64).compactMap { member in
            guard case .item(let item) = member else { return nil }
            return CacheStatus(item)
        }
    }
}

extension CacheStatus: CustomStringConvertible {
    /// Reads a member. Parameters of other types than theirs are ignored.
    fileprivate init?(_ item: StructuredItem) {
        guard let name = Self.text(item.value) else { return nil }
        self.init(cache: name)
        let parameters = item.parameters
        isHit = parameters["hit"] == .boolean(true)
        if case .token(let reason) = parameters["fwd"] { forwardReason = ForwardReason(rawValue: reason) }
        if case .integer(let code) = parameters["fwd-status"] { forwardStatus = HTTPStatus(Int(clamping: code)) }
        if case .integer(let seconds) = parameters["ttl"] { timeToLive = Int(clamping: seconds) }
        isStored = parameters["stored"] == .boolean(true)
        isCollapsed = parameters["collapsed"] == .boolean(true)
        if case .string(let text) = parameters["key"] { key = text }
        detail = parameters["detail"].flatMap(Self.text)
    }

    /// The text of a string or token.
    private static func text(_ value: StructuredBareItem) -> String? {
        switch value {
        case .string(let text), .token(let text): text
        default: nil
        }
    }

    /// The member as in a field, such as `CDN; fwd=stale; fwd-status=304`.
    public var description: String {
        var parts = [Self.written(cache)]
        if isHit { parts.append("hit") }
        if let forwardReason { parts.append("fwd=\(Self.written(forwardReason.rawValue))") }
        if let forwardStatus { parts.append("fwd-status=\(forwardStatus.code)") }
        if let timeToLive { parts.append("ttl=\(timeToLive)") }
        if isStored { parts.append("stored") }
        if isCollapsed { parts.append("collapsed") }
        if let key { parts.append("key=\(Self.quoted(key))") }
        if let detail { parts.append("detail=\(Self.written(detail))") }
        return parts.joined(separator: "; ")
    }

    private static func written(_ text: String) -> String {
        StructuredBareItem.token(text).text ?? quoted(text)
    }

    /// Text that isn't ASCII has no form in the field; it is shown as a display string.
    private static func quoted(_ text: String) -> String {
        StructuredBareItem.string(text).text ?? StructuredBareItem.displayString(text).text ?? ""
    }
}
