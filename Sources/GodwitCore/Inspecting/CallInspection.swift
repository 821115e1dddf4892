import Synchronization

/// Reports the start and the outcome of each call. The outermost middleware of a client with an inspector.
struct CallInspection: Middleware {
    private let recorder: TrafficRecorder
    private let sharesTransfers: Bool

    init(_ recorder: TrafficRecorder, sharesTransfers: Bool) {
        self.recorder = recorder
        self.sharesTransfers = sharesTransfers
    }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        try await observe(call, next, replayOf: TrafficRecorder.replayedCall)
    }

    private func observe(_ call: Call, _ next: Next, replayOf: UInt64?) async throws(NetworkError) -> HTTPResponse {
        let trace = TrafficTrace(call.id, recorder)
        recorder.add(call.id, .started(call, call.request, next.whileClientExists, replayOf: replayOf))
        var call = call
        call.request.options[TrafficTrace.self] = trace
        do throws(NetworkError) {
            let response = try await next(call)
            let isSent = trace.isSent
            let isShared = sharesTransfers && !isSent && response.metrics.source == .network
            recorder.add(call.id, .finished(response, isShared: isShared, isSent: isSent))
            return response
        } catch {
            trace.fail(error)
            throw error
        }
    }
}

/// Reports each request that is sent to the transport, and its outcome. The innermost middleware.
struct RequestInspection: ObservingMiddleware {
    private let recorder: TrafficRecorder

    init(_ recorder: TrafficRecorder) {
        self.recorder = recorder
    }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let exchange = recorder.nextExchange()
        call.request.options[TrafficTrace.self]?.noteSent()
        recorder.add(call.id, .sent(call, next.fieldsAddedByTransport(to: call.request), exchange: exchange))
        guard call.request.delivery.isStreamed else { return try await observe(call, next, exchange) }
        let ending = StreamEnding()
        var call = call
        let handler = call.request.options.onEvent
        call.request.options.onEvent = { event in
            if case .finished(let metrics) = event { ending.metrics.withLock { $0 = metrics } }
            handler?(event)
        }
        var response = try await observe(call, next, exchange)
        response.body = response.body.observed { [recorder, id = call.id, request = response.request] step in
            switch step {
            case .chunk(let data):
                ending.size.add(Int64(data.count), ordering: .relaxed)
                recorder.add(id, .chunk(data, of: request, exchange: exchange))
            case .end, .released:
                let error: NetworkError? = if case .end(let error) = step { error } else { nil }
                let size = ending.size.load(ordering: .relaxed)
                let metrics = ending.metrics.withLock(\.self)
                recorder.add(id, .ended(error, metrics, size: size, exchange: exchange))
            }
        }
        return response
    }

    private func observe(_ call: Call, _ next: Next, _ exchange: UInt64) async throws(NetworkError) -> HTTPResponse {
        do throws(NetworkError) {
            let response = try await next(call)
            recorder.add(call.id, .answered(response, exchange: exchange))
            return response
        } catch {
            recorder.add(call.id, .failed(error, exchange: exchange))
            throw error
        }
    }
}

/// The measurements of a streamed body, which arrive before its end is read.
private final class StreamEnding: Sendable {
    let size = Atomic<Int64>(0)
    let metrics = Mutex<TransferMetrics?>(nil)
}

extension Delivery {
    fileprivate var isStreamed: Bool {
        if case .streamed = self { true } else { false }
    }
}

/// Carries the call's number to what happens after its response: errors of decoding, and WebSocket messages.
final class TrafficTrace: Sendable, RequestOption {
    typealias Value = TrafficTrace?
    static var defaultValue: TrafficTrace? { nil }
    static var affectsResponse: Bool { false }

    private let call: UInt64
    private let recorder: TrafficRecorder
    private let sent = Atomic(false)
    private let failed = Atomic(false)

    init(_ call: UInt64, _ recorder: TrafficRecorder) {
        self.call = call
        self.recorder = recorder
    }

    var isSent: Bool { sent.load(ordering: .relaxed) }

    func noteSent() { sent.store(true, ordering: .relaxed) }

    /// Reports the error of the call. Only the first counts: it can pass several places.
    func fail(_ error: NetworkError) {
        guard !failed.exchange(true, ordering: .relaxed) else { return }
        recorder.add(call, .failed(error, exchange: nil))
    }

    /// - Parameter sent: The secrets of the socket's call.
    func note(_ message: WebSocketMessage, isSent: Bool, _ sent: SentSecrets?) {
        recorder.add(call, .message(message, isSent: isSent, sent))
    }
}

extension NetworkError {
    /// Reports the error to the inspector of the client, if there is one, and returns it.
    func inspected(_ response: HTTPResponse) -> NetworkError {
        response.request.options[TrafficTrace.self]?.fail(self)
        return self
    }
}
