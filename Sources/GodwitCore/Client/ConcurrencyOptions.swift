/// How many calls of a client are under way at once; see ``ConcurrencyLimit``.
///
/// ```swift
/// $0.concurrency.perHost = 6
/// ```
public struct ConcurrencyOptions: Sendable, Hashable {
    /// The most in all; nil, the default, for no limit.
    public var total: Int?

    /// The most to one origin; nil, the default, for no limit.
    public var perHost: Int?

    /// Makes the defaults: no limit.
    public init() {}

    var isLimited: Bool { total != nil || perHost != nil }
}
