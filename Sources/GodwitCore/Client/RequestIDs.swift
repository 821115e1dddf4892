/// Where the ids come from that go out as `X-Request-ID`, so that a server's log can be found again.
///
/// One call has one id, whatever retries and redirects it takes; ``NetworkError/requestID`` names it.
///
/// ```swift
/// $0.requestIDs = .generated { UUID().uuidString }
/// ```
public enum RequestIDs: Sendable {
    /// None is sent.
    case off

    /// Sixteen random digits of this process and the number of the call: unique and cheap.
    case automatic

    /// The caller's own; called once for each call, from any task.
    case generated(@Sendable () -> String)
}
