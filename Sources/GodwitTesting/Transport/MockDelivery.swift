import GodwitCore
import GodwitSupport

/// Delivers a response as the request asks: in memory, as a stream, or to a file.
struct MockDelivery: Sendable {
    private static let streamCapacity = 256 << 10

    let exchange: MockExchange
    let response: MockResponse
    let clock: any Clock<Duration>
    let bytesSent: Int64

    private var request: HTTPRequest { exchange.request }

    /// The head, with the `Content-Length` that a server would send.
    private var head: HTTPResponseHead {
        var fields = response.fields
        if let length = response.announcedLength, !response.status.forbidsContent, !fields.contains(.contentLength),
            !fields.contains(.transferEncoding)
        {
            fields[.contentLength] = "\(length)"
        }
        return HTTPResponseHead(status: response.status, fields: fields)
    }

    func run() async throws {
        try await waitForHead()
        switch request.delivery {
        case .buffered(let limit):
            try await buffer(upTo: limit)
        case .file where !response.status.isSuccessful:
            try await buffer(upTo: Delivery.defaultBufferLimit)
        case .file(let url):
            let file = try FileWriter(url)
            let count = try await pump { try file.write($0) }
            answer(.regularFile(at: url), bytesReceived: count)
        case .streamed:
            await stream()
        }
    }

    /// Throws if the route has no response head.
    private func waitForHead() async throws {
        switch response.form {
        case .message: return
        case .raw:
            throw NetworkError(.unsupported(feature: "MockResponse.raw", on: "MockTransport"), phase: .receiving)
        case .tunnel:
            throw NetworkError(.unsupported(feature: "MockResponse.tunnel", on: "MockTransport"), phase: .receiving)
        case .hang: try await Watched(()).wait { false }
        case .noAnswer(let ending):
            let words = ending == .reset ? "reset" : "closed"
            throw NetworkError(
                .transport(.connectionLost("\(words) by the mock without a response")), phase: .receiving)
        case .failure(let error): throw error
        }
    }

    private func buffer(upTo limit: Int) async throws {
        var content = Data()
        let count = try await pump { piece in
            guard piece.count <= limit.saturatingSubtracting(content.count) else { throw tooLarge(Int64(limit)) }
            content.append(piece)
        }
        answer(.bytes(content), bytesReceived: count)
    }

    private func stream() async {
        let demand = Watched(false)
        let channel = BodyChannel(capacity: Self.streamCapacity) {
            demand.update { $0 = true }
        } onCancel: { [exchange] in
            exchange.cancel()
        }
        answer(HTTPBody(.incoming(IncomingBody(channel, length: length))), bytesReceived: 0)
        do {
            _ = try await pump { piece in
                guard channel.send(piece) == .pause else { return }
                try await demand.wait { $0 }
                demand.update { $0 = false }
            }
            channel.finish()
        } catch {
            channel.finish(MockAnswering.networkError(error, request))
        }
    }

    /// Passes the body to a sink piece by piece, up to the fault. Returns the number of bytes.
    private func pump(into sink: (Data) async throws -> Void) async throws -> Int64 {
        var count: Int64 = 0
        defer { request.options.onEvent?(.finished(metrics(bytesReceived: count))) }
        guard hasContent else { return 0 }
        for try await piece in PacedBody(response, clock: clock) {
            try Task.checkCancellation()
            let piece = piece.prefix(Int(clamping: (length ?? .max) - count))
            guard !piece.isEmpty else { break }
            count += Int64(piece.count)
            if let limit = limit, count > limit { throw tooLarge(limit) }
            request.options.onEvent?(.received(count, total: length))
            try await sink(piece)
        }
        guard count == length || (length == nil && response.fault == nil) else {
            throw NetworkError(
                .transport(.connectionLost("ended by the mock after \(count) bytes of the body")), phase: .receiving,
                response: head)
        }
        return count
    }

    private var hasContent: Bool {
        request.method != .head && !response.status.forbidsContent
    }

    /// The body length that a client expects.
    private var length: Int64? {
        hasContent ? response.announcedLength : 0
    }

    private var limit: Int64? {
        [request.options.responseLimit.encoded, request.options.responseLimit.decoded].compactMap(\.self).min()
    }

    private func tooLarge(_ limit: Int64) -> NetworkError {
        NetworkError(.tooLarge(limit: limit), phase: .receiving, response: head)
    }

    private func answer(_ body: HTTPBody, bytesReceived: Int64) {
        exchange.answer(
            .success(
                HTTPResponse(head: head, body: body, metrics: metrics(bytesReceived: bytesReceived), request: request)))
    }

    private func metrics(bytesReceived: Int64) -> TransferMetrics {
        var metrics = TransferMetrics()
        metrics.bytesSent = bytesSent
        metrics.bytesReceived = bytesReceived
        return metrics
    }
}
