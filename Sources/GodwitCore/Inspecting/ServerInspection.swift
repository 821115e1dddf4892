/// Reports what a server receives and sends to an inspector.
package struct ServerInspection: Sendable {
    private let recorder: TrafficRecorder

    package init(_ inspector: Inspector) {
        var inspector = inspector
        // Only the client could send a call again.
        inspector.allowsReplay = false
        recorder = TrafficRecorder(inspector)
    }

    /// Reports a request with its body.
    package func receive(_ request: HTTPRequest) -> ServedCall {
        ServedCall(Call(request), recorder)
    }
}

/// A request to a server, until its response is sent.
package struct ServedCall: Sendable {
    private let call: Call
    private let recorder: TrafficRecorder
    private let exchange: UInt64
    private let start = ContinuousClock.now

    init(_ call: Call, _ recorder: TrafficRecorder) {
        self.call = call
        self.recorder = recorder
        exchange = recorder.nextExchange()
        recorder.add(call.id, .started(call, call.request, { nil }, replayOf: nil))
        recorder.add(call.id, .sent(call, [:], exchange: exchange))
    }

    /// Reports the head of the response, and its body if it is in memory.
    package func respond(_ head: HTTPResponseHead, body: Data?) {
        var metrics = TransferMetrics()
        metrics.firstByte = ContinuousClock.now - start
        let response = HTTPResponse(
            head: head, body: body.map { .bytes($0) } ?? .empty, metrics: metrics, request: call.request)
        recorder.add(call.id, .answered(response, exchange: exchange))
    }

    /// Reports bytes of a body that is streamed.
    package func send(_ chunk: Data) {
        recorder.add(call.id, .chunk(chunk, of: call.request, exchange: exchange))
    }

    /// Reports the end of the response.
    ///
    /// - Parameter size: The number of bytes of a streamed body; `nil` if the body was in memory.
    package func finish(_ head: HTTPResponseHead, streamed size: Int64?) {
        if let size { recorder.add(call.id, .ended(nil, nil, size: size, exchange: exchange)) }
        recorder.add(call.id, .served(HTTPResponse(head: head, request: call.request)))
    }

    /// Reports why the client gets no response, or only a part of it.
    package func fail(_ reason: String) {
        recorder.add(call.id, .broken(reason, exchange: exchange))
    }
}
