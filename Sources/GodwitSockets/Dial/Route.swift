#if os(Linux)
import GodwitCore

/// The way to an origin: how its connections are made, and what requests on them look like. One for each origin of a loop.
final class Route {
    let origin: Origin
    let plan: DialPlan
    /// The number of its group in the pool.
    let group: Int
    /// The proxy that gets requests in absolute form; `nil` if the server itself is spoken to.
    let forwarder: ProxyAddress?
    /// The value of `Host`.
    let host: String
    /// Whether a connection may turn out to be shared by many requests.
    let mayShare: Bool

    init(_ origin: Origin, _ plan: DialPlan, group: Int, forwarder: ProxyAddress?, host: String, mayShare: Bool) {
        self.origin = origin
        self.plan = plan
        self.group = group
        self.forwarder = forwarder
        self.host = host
        self.mayShare = mayShare
    }
}
#endif
