/// What happens during an exchange; told to ``RequestOptions/onEvent``.
///
/// ```swift
/// Endpoint<Void>.put("films/1", body: .file(at: film)).onEvent { event in
///     if case .sent(let count, let total?) = event { show(Double(count) / Double(total)) }
/// }
/// ```
public enum TransferEvent: Sendable {
    /// There is no path to the network; the request waits for one.
    case waitingForConnectivity

    /// So many bytes of request content have been sent; `total` is nil where the length is unknown.
    case sent(Int64, total: Int64?)

    /// An interim response came in before the final one, such as 103 with early hints (RFC 9110 section 15.2).
    ///
    /// A transport accepts a hundred of them. URLSession on Apple platforms does not report any.
    case interim(HTTPResponseHead)

    /// So many bytes of response content have been received, content codings undone; `total` is nil where the
    /// length is unknown.
    case received(Int64, total: Int64?)

    /// The exchange is over, and this is what it cost.
    case finished(TransferMetrics)
}
