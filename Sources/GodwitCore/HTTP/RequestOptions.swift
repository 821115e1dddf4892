/// Options of one request that differ from its client's defaults.
///
/// The options travel with the request to the transport. Transports read the properties declared here; each middleware
/// declares its own option next to its code, and so can yours (``RequestOption``).
///
/// ```swift
/// endpoint.options {
///     $0.timeouts.inactivity = .seconds(5)
///     $0.cachePolicy = .reloadRevalidating
///     $0.redirects = .block
/// }
/// ```
///
/// A copy shares its storage until it is changed.
public struct RequestOptions: Sendable, Nonisolated {
    fileprivate struct Values: Sendable {
        var timeouts = Timeouts()
        var responseLimit = ResponseLimit()
        var expectContinue: Bool?
        var priority: RequestPriority?
        var acceptedStatuses: Set<Int> = []
        var upgrade: ProtocolUpgrade?
        var onEvent: (@Sendable (TransferEvent) -> Void)?
        var onHeadSent: (@Sendable (String) -> Void)?
        /// The options of middlewares that were set. So few that a scan is faster than a hash.
        /// Apart from their values, so that a search copies none.
        private(set) var ids: [ObjectIdentifier] = []
        var others: [OtherOption] = []
        /// A bit of each ID. A call asks for some twenty options, of which it has few: this is read without a reference to
        /// the list, which all calls of a client share (decision 144).
        private var bits: UInt64 = 0

        /// Whether an option may be in the list. `false` for nearly all that aren't.
        @inline(__always)
        func mayHave(_ id: ObjectIdentifier) -> Bool { bits & Self.bit(id) != 0 }

        mutating func append(_ id: ObjectIdentifier, _ option: OtherOption) {
            ids.append(id)
            others.append(option)
            bits |= Self.bit(id)
        }

        /// IDs are addresses of descriptions, which are some dozen bytes apart.
        @inline(__always)
        private static func bit(_ id: ObjectIdentifier) -> UInt64 {
            let address = UInt(bitPattern: id)
            return 1 << UInt64((address >> 4 ^ address >> 10) & 63)
        }
    }

    fileprivate struct OtherOption: Sendable {
        var value: any Sendable
        let affectsResponse: Bool
    }

    private var box: Box<Values>

    private static let defaults = Box(Values())

    /// Creates options with default values.
    public init() {
        box = Self.defaults
    }

    /// The time limits for each part of the exchange.
    public var timeouts: Timeouts {
        get { box.value.timeouts }
        _modify { yield &box.value.timeouts }
    }

    /// The maximum size of the response body, in bytes. No limit by default; `.buffered` deliveries have their own
    /// limit.
    public var responseLimit: ResponseLimit {
        get { box.value.responseLimit }
        _modify { yield &box.value.responseLimit }
    }

    /// Whether the body waits until the server has seen the head and asks for it (`Expect: 100-continue`, RFC 9110
    /// section 10.1.1). `false` by default.
    ///
    /// Saves a large upload that the server would refuse. If the server doesn't answer within a second, the body is
    /// sent anyway; if it answers 417, the request is sent again without the expectation. Over HTTP/2 the field is sent
    /// and the body doesn't wait. URLSession ignores this option.
    public var expectContinue: Bool {
        get { box.value.expectContinue ?? false }
        set { box.value.expectContinue = newValue }
    }

    /// The urgency of the request among others on its connection.
    public var priority: RequestPriority {
        get { box.value.priority ?? .normal }
        set { box.value.priority = newValue }
    }

    /// Status codes that count as success in addition to 200 to 299, such as 304. Empty by default.
    public var acceptedStatuses: Set<Int> {
        get { box.value.acceptedStatuses }
        _modify { yield &box.value.acceptedStatuses }
    }

    /// The protocol to switch to after the response head. `nil` (the default) stays with HTTP.
    public var upgrade: ProtocolUpgrade? {
        get { box.value.upgrade }
        _modify { yield &box.value.upgrade }
    }

    /// Receives the progress and end of the exchange. Runs on the transport's thread: return quickly.
    public var onEvent: (@Sendable (TransferEvent) -> Void)? {
        get { box.value.onEvent }
        _modify { yield &box.value.onEvent }
    }

    /// Receives the request head as it is sent, with the fields that the transport adds, such as `Host` and
    /// `Accept-Encoding`. `nil` (the default) observes nothing and costs nothing.
    ///
    /// The text contains secrets. A long head comes in several pieces; a proxy's `CONNECT` is a head too. The head of an HTTP/2
    /// request is shown in the form of HTTP/1. Runs on the transport's thread: return quickly. URLSession doesn't call it.
    public var onHeadSent: (@Sendable (String) -> Void)? {
        get { box.value.onHeadSent }
        _modify { yield &box.value.onHeadSent }
    }

    /// These options, with the others' values for what was never set here.
    func filled(from others: RequestOptions) -> RequestOptions {
        guard !box.isCopy(of: Self.defaults) else { return others }
        var filled = self
        filled.box.value.fill(from: others.box.value)
        return filled
    }

    /// Whether the options of middlewares that affect the response are equal, apart from one. Values that can't be compared
    /// are different.
    func hasSameOptions(as other: RequestOptions, except ignored: any RequestOption.Type) -> Bool {
        let id = ObjectIdentifier(ignored)
        return Self.isSubset(box.value, of: other.box.value, except: id)
            && Self.isSubset(other.box.value, of: box.value, except: id)
    }

    private static func isSubset(_ values: Values, of others: Values, except ignored: ObjectIdentifier) -> Bool {
        zip(values.ids, values.others).allSatisfy { id, option in
            guard option.affectsResponse, id != ignored else { return true }
            return others.ids.firstIndex(of: id).map { isEqual(others.others[$0].value, option.value) } ?? false
        }
    }

    private static func isEqual(_ left: Any, _ right: Any) -> Bool {
        guard let left = left as? any Equatable else { return false }
        return isEqual(left, to: right)
    }

    private static func isEqual<Value: Equatable>(_ left: Value, to right: Any) -> Bool { right as? Value == left }

    /// An option that a middleware defines.
    public subscript<Option: RequestOption>(option: Option.Type) -> Option.Value {
        @inlinable
        @inline(__always)
        get {
            let id = ObjectIdentifier(option)
            guard mayHave(id), let value = value(of: id) else { return Option.defaultValue }
            return value as? Option.Value ?? Option.defaultValue
        }
        set {
            let id = ObjectIdentifier(option)
            if let index = box.value.ids.firstIndex(of: id) {
                box.value.others[index].value = newValue
            } else {
                box.value.append(id, OtherOption(value: newValue, affectsResponse: option.affectsResponse))
            }
        }
    }

    @usableFromInline
    func mayHave(_ id: ObjectIdentifier) -> Bool { box.value.mayHave(id) }

    @usableFromInline
    func value(of id: ObjectIdentifier) -> (any Sendable)? {
        box.value.ids.firstIndex(of: id).map { box.value.others[$0].value }
    }
}

extension RequestOptions.Values {
    fileprivate mutating func fill(from others: Self) {
        timeouts.fill(from: others.timeouts)
        responseLimit.encoded = responseLimit.encoded ?? others.responseLimit.encoded
        responseLimit.decoded = responseLimit.decoded ?? others.responseLimit.decoded
        expectContinue = expectContinue ?? others.expectContinue
        priority = priority ?? others.priority
        if acceptedStatuses.isEmpty { acceptedStatuses = others.acceptedStatuses }
        upgrade = upgrade ?? others.upgrade
        onEvent = onEvent ?? others.onEvent
        onHeadSent = onHeadSent ?? others.onHeadSent
        for (id, option) in zip(others.ids, others.others) where !ids.contains(id) {
            append(id, option)
        }
    }
}

/// An option that a middleware reads from each request.
///
/// ```swift
/// enum Region: RequestOption {
///     static let defaultValue = "eu"
/// }
///
/// var options = RequestOptions()
/// options[Region.self] = "us"
/// ```
public protocol RequestOption: Sendable {
    /// The type of the option's value. The conforming type itself, unless you declare another.
    associatedtype Value: Sendable = Self

    /// The value for requests that don't set one.
    static var defaultValue: Value { get }

    /// Whether the option can change the response. `true` by default.
    ///
    /// Concurrent requests that differ only in other options can share a transfer; see ``Coalescing``.
    static var affectsResponse: Bool { get }
}

extension RequestOption {
    public static var affectsResponse: Bool { true }
}

/// Time limits for the parts of one exchange.
///
/// ```swift
/// $0.timeouts.connect = .seconds(5)
/// $0.timeouts.total = .seconds(30)
/// ```
///
/// Exceeding one throws `.timedOut` with its ``NetworkError/Stage``. Negative limits count as zero; limits over a
/// century count as a century. `Duration.seconds(.infinity)` traps in Swift: use `nil` for no total limit.
public struct Timeouts: Sendable, Hashable, Nonisolated {
    private var ownConnect: Duration?
    private var ownInactivity: Duration?
    private var ownTotal: Duration??
    private var ownCall: Duration??

    /// Maximum time to connect, including TLS. 30 seconds by default.
    public var connect: Duration {
        get { ownConnect ?? .seconds(30) }
        set { ownConnect = newValue }
    }

    /// Maximum time without a byte in either direction, once connected. 60 seconds by default.
    public var inactivity: Duration {
        get { ownInactivity ?? .seconds(60) }
        set { ownInactivity = newValue }
    }

    /// Maximum time for the whole exchange, including the wait for a free connection. `nil` (the default) means no
    /// limit.
    ///
    /// It covers one exchange, from its start to the end of the body, and restarts with each attempt and redirect; ``call``
    /// covers all of them. A client's limit applies to calls that return a value. Downloads, uploads, streams and events can
    /// take any time: only their endpoint's limit (``Endpoint/timeout(_:)``) and ``inactivity`` apply.
    public var total: Duration? {
        get { ownTotal ?? nil }
        set { ownTotal = .some(newValue) }
    }

    /// Maximum time for a whole call: all attempts, redirects and authentication, and the waits between them. `nil` (the
    /// default) means no limit.
    ///
    /// Of a download, an upload or a stream it covers everything to the end. Of a WebSocket it covers each handshake. Events
    /// have it only if their endpoint sets it: from the first connection on, with all later ones.
    public var call: Duration? {
        get { ownCall ?? nil }
        set { ownCall = .some(newValue) }
    }

    /// Creates limits with default values.
    public init() {}

    /// Takes the others' limits where none was set.
    fileprivate mutating func fill(from others: Timeouts) {
        ownConnect = ownConnect ?? others.ownConnect
        ownInactivity = ownInactivity ?? others.ownInactivity
        ownTotal = ownTotal ?? others.ownTotal
        ownCall = ownCall ?? others.ownCall
    }

    /// Whether the limits are equal, whether they were set or not.
    public static func == (left: Timeouts, right: Timeouts) -> Bool {
        left.connect == right.connect && left.inactivity == right.inactivity && left.total == right.total
            && left.call == right.call
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(connect)
        hasher.combine(inactivity)
        hasher.combine(total)
        hasher.combine(call)
    }
}

/// The maximum size of a response body; a larger one ends the exchange with `.tooLarge`.
///
/// ```swift
/// $0.responseLimit = ResponseLimit(encoded: 1 << 20, decoded: 8 << 20)
/// ```
public struct ResponseLimit: Sendable, Hashable {
    /// Bytes as received, with content codings; `nil` means no limit.
    public var encoded: Int64?

    /// Bytes after content codings are undone, which stops decompression bombs; `nil` means no limit, except 1 GiB for a file
    /// whose content was compressed.
    public var decoded: Int64?

    /// Creates limits for the bytes as received and as decoded.
    ///
    /// - Parameters:
    ///   - encoded: Maximum bytes as received; `nil` means no limit.
    ///   - decoded: Maximum bytes after decoding; `nil` means the delivery's own limit.
    public init(encoded: Int64? = nil, decoded: Int64? = nil) {
        self.encoded = encoded
        self.decoded = decoded
    }
}

/// The urgency of a request among others on its connection: a hint for servers.
///
/// `SocketTransport` sends it as the `Priority` field (RFC 9218) if HTTP/2 or HTTP/3 may be used, unless the request has
/// that field. URLSession has its own way.
public enum RequestPriority: Sendable, Hashable {
    /// `low` goes after the others (`u=5`), `normal` among them, `high` before them (`u=1`).
    case low, normal, high
}

extension HTTPRequest {
    /// The value of `Priority` (RFC 9218 section 4); `nil` for the defaults. A streamed response is useful in parts, so it may
    /// share the connection's bandwidth with others: one that never ends must not hold them up.
    package var priorityField: String? {
        let urgency: String? =
            switch options.priority {
            case .low: "u=5"
            case .normal: nil
            case .high: "u=1"
            }
        guard case .streamed = delivery else { return urgency }
        return urgency.map { "\($0), i" } ?? "i"
    }
}
