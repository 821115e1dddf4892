import Godwit
import Synchronization

/// Sees each request as it goes to the transport and each answer as it comes: what `--verbose` and `--timing` tell.
final class ExchangeLog: Middleware {
    private let state = Mutex<[Exchange]>([])
    private let verbose: (any OutputSink)?

    /// - Parameter verbose: Where heads are shown as they go by; nil shows none.
    init(verbose: (any OutputSink)?) {
        self.verbose = verbose
    }

    var exchanges: [Exchange] { state.withLock(\.self) }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let index = state.withLock { exchanges in
            exchanges.append(Exchange(request: call.request))
            return exchanges.count - 1
        }
        await show(HeadText.verbose(call.request))
        var call = call
        let handler = call.request.options.onEvent
        call.request.options.onEvent = { [self] event in
            handler?(event)
            if case .finished(let metrics) = event { state.withLock { $0[index].metrics = metrics } }
        }
        let response = try await next(call)
        state.withLock { $0[index].head = response.head }
        await show(HeadText.verbose(response))
        return response
    }

    private func show(_ text: @autoclosure () -> String) async {
        guard let verbose else { return }
        // That nobody reads it is no reason to end the exchange.
        try? await verbose.write(Data(text().utf8))
    }
}
