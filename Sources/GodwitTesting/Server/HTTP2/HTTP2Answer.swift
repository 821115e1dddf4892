#if canImport(CNGHTTP2)
import CNGHTTP2
import GodwitCore
import GodwitSupport

/// Sends the response to one request of an HTTP/2 connection.
///
/// Faults have the counterparts of RFC 9113: a reset ends the stream alone (RST_STREAM), and what closes the connection of HTTP/1.1
/// sends GOAWAY and closes it, with all of its streams.
struct HTTP2Answer: Sendable {
    let exchange: HTTP2Exchange

    private var connection: HTTP2Connection { exchange.connection }
    private var service: ServerService { exchange.service }

    func run() async {
        let request = exchange.request
        let shown = service.inspection.flatMap { inspection in request.shown.map(inspection.receive) }
        do {
            try await send(try await response(to: request), to: request, shown)
        } catch {
            shown?.fail("the client closed the stream")
        }
    }

    private func response(to request: MockRequest) async throws(CancellationError) -> MockResponse {
        if exchange.isTooLarge {
            return .text(RequestFault.tooLarge.reason, status: RequestFault.tooLarge.status)
        }
        if let response = service.response(to: request, exchange.route) { return response }
        guard case .handler(let handler) = exchange.route?.reply else {
            return .text("a WebSocket needs HTTP/1.1\n", status: .notImplemented)
        }
        do {
            return try await handler(request)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            return .thrown(error)
        }
    }

    private func send(_ response: MockResponse, to request: MockRequest, _ shown: ServedCall?) async throws {
        if response.delay > .zero { try await service.options.clock.sleep(for: response.delay.bounded) }
        service.options.onResponse?(request, response.sentStatus)
        switch response.form {
        case .message:
            try await sendMessage(response, shown)
        case .hang:
            shown?.fail("no response is sent")
            try await exchange.output.waitUntilClosed()
        case .noAnswer(.close), .failure:
            shown?.fail("the connection was closed without a response")
            closeConnection()
        case .noAnswer(.reset):
            shown?.fail("the stream was reset without a response")
            reset()
        case .raw, .tunnel:
            shown?.fail("HTTP/2 can't send this response")
            reset()
        }
    }

    private func sendMessage(_ response: MockResponse, _ shown: ServedCall?) async throws {
        let head = Self.framed(response)
        let hasContent = exchange.head.method != .head && !response.status.forbidsContent
        shown?.respond(head, body: nil)
        connection.use { [exchange] session in
            for interim in response.interim { session.sendInterim(interim, on: exchange.stream) }
            session.respond(head, on: exchange.stream, output: hasContent ? exchange.output : nil)
            if response.closesConnection { session.sendGoAway() }
        }
        let count = hasContent ? try await sendContent(of: response, shown) : 0
        guard let fault = response.fault, hasContent else {
            shown?.finish(head, streamed: count)
            return
        }
        try await exchange.output.waitUntilSent()
        shown?.fail("the response was broken after \(count) bytes of the body")
        switch fault {
        case .drop: closeConnection()
        case .reset: reset()
        case .truncate: connection.close(.truncated)
        }
    }

    /// Sends the body at its rate, up to its fault. Returns the number of bytes.
    private func sendContent(of response: MockResponse, _ shown: ServedCall?) async throws -> Int64 {
        var count: Int64 = 0
        do {
            for try await piece in PacedBody(response, clock: service.options.clock) {
                try await exchange.output.put(piece)
                shown?.send(piece)
                count += Int64(piece.count)
                resume()
            }
        } catch {
            // Only a reset can signal an incomplete body.
            if !Task.isCancelled { reset() }
            throw error
        }
        guard response.fault == nil else { return count }
        exchange.output.end(response.trailers)
        resume()
        return count
    }

    private func resume() {
        connection.use { [exchange] in $0.resume(exchange.stream) }
    }

    private func reset() {
        connection.use { [exchange] in $0.reset(exchange.stream, NGHTTP2_INTERNAL_ERROR) }
    }

    private func closeConnection() {
        connection.use { $0.sendGoAway() }
        connection.close(.closed)
    }

    /// The head, with the length of the body if it is known and no trailers follow: some clients read no further than that length.
    private static func framed(_ response: MockResponse) -> HTTPResponseHead {
        var head = response.head
        let announces = response.framing != .automatic || response.trailers.isEmpty
        if announces, !head.fields.contains(.contentLength), let length = response.announcedLength,
            !response.status.forbidsContent
        {
            head.fields[.contentLength] = "\(length)"
        }
        return head
    }
}
#endif
