/// What happens to a request where there is no network that it may use.
///
/// ```swift
/// $0.connectivity = .wait(upTo: .seconds(30))
/// ```
public enum ConnectivityPolicy: Sendable, Hashable {
    /// It is sent all the same: the system may know less than the network. If it can't be sent because there is no network, it
    /// fails with `.offline(.noPath)`; a network that the request may not use (``RequestOptions/allowedNetworks``) ends it with
    /// `.offline` and the reason.
    case attempt
    /// It fails at once with `.offline` and the reason.
    case failFast
    /// It waits for a network, at most so long; nil waits until the task is cancelled. Past the limit it fails with
    /// `.offline` and the reason of that moment.
    ///
    /// The wait is no part of ``Timeouts``.
    case wait(upTo: Duration?)
}
