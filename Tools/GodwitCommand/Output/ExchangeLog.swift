import Godwit
import Synchronization

/// Records each request and response at the transport, for `--verbose` and `--timing`.
final class ExchangeLog: Middleware {
    private let state = Mutex<[Exchange]>([])
    private let verbose: (any OutputSink)?
    private let showsBodies: Bool
    private let colors: Colors

    /// - Parameters:
    ///   - verbose: Receives the heads as they pass; `nil` prints nothing.
    ///   - showsBodies: Whether it also receives the bodies of requests.
    init(verbose: (any OutputSink)?, showsBodies: Bool = false, colors: Colors = .none) {
        self.verbose = verbose
        self.showsBodies = showsBodies
        self.colors = colors
    }

    var exchanges: [Exchange] { state.withLock(\.self) }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let (index, isUpgraded) = state.withLock { exchanges in
            let former = exchanges.last { $0.call == call.id }?.upgradeCount ?? 0
            exchanges.append(Exchange(request: call.request, call: call.id, upgradeCount: call.upgradeCount))
            return (exchanges.count - 1, call.upgradeCount > former)
        }
        var call = call
        let handler = call.request.options.onEvent
        call.request.options.onEvent = { [self] event in
            handler?(event)
            if case .finished(let metrics) = event { state.withLock { $0[index].metrics = metrics } }
        }
        guard verbose != nil else { return try await response(to: call, at: index, next) }
        let original = call.request
        if isUpgraded { await show(HeadText.upgraded(original)) }
        let (heads, continuation) = AsyncStream.makeStream(of: String.self)
        call.request.options.onHeadSent = { continuation.yield($0) }
        // The request is shown once it is sent, also while its response is awaited.
        async let isShown = show(heads, of: original)
        do throws(NetworkError) {
            let response = try await response(to: call, at: index, next)
            continuation.finish()
            // A transport that doesn't report what it sends gets the head that it was given.
            if await !isShown {
                await show(HeadText.verbose(original, colors: colors))
                await showBody(of: original)
            }
            await show(HeadText.verbose(response, colors: colors))
            return response
        } catch {
            continuation.finish()
            _ = await isShown
            throw error
        }
    }

    private func response(
        to call: Call, at index: Int, _ next: Next
    ) async throws(NetworkError) -> HTTPResponse {
        let response = try await next(call)
        state.withLock { $0[index].head = response.head }
        return response
    }

    /// Shows each head once it is complete. Returns whether there was one.
    private func show(_ heads: AsyncStream<String>, of request: HTTPRequest) async -> Bool {
        var text = ""
        var isShown = false
        for await piece in heads {
            text += piece
            while let end = text.firstRange(of: "\r\n\r\n") {
                await show(HeadText.verbose(sent: String(text[..<end.lowerBound]), of: request, colors: colors))
                if !text.hasPrefix("CONNECT ") { await showBody(of: request) }
                text = String(text[end.upperBound...])
                isShown = true
            }
        }
        return isShown
    }

    private func showBody(of request: HTTPRequest) async {
        guard showsBodies, let body = request.body else { return }
        await show(await PrintedBody.shown(body, of: request) + "\n")
    }

    private func show(_ text: String) async {
        // A closed output must not end the exchange.
        try? await verbose?.write(Data(text.utf8))
    }
}

/// One exchange of a run, as far as it is known. A redirected request causes several.
struct Exchange: Sendable {
    let request: HTTPRequest
    /// The number of the call.
    let call: UInt64
    /// How many requests of the call so far were sent over HTTPS because of HSTS.
    let upgradeCount: Int
    var head: HTTPResponseHead?
    var metrics: TransferMetrics?
}
