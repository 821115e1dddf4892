/// How far a request lets the cache go.
package enum CacheMode: Sendable, Hashable {
    /// As RFC 9111 says.
    case standard
    /// A stored response will do at any age, even where the server forbids it; else the network.
    case anyAge
    /// A stored response will do at any age; never the network.
    case anyAgeOnly
    /// A stored response will do once the server confirmed it.
    case confirmed
}
