import Godwit

/// One exchange of a run, as far as it is known: a request that was redirected makes several.
struct Exchange: Sendable {
    let request: HTTPRequest
    var head: HTTPResponseHead?
    var metrics: TransferMetrics?
}
