import GodwitCore
import GodwitSupport

/// Performs one exchange: reads the request, finds the route, delivers the response.
struct MockAnswering: Sendable {
    let exchange: MockExchange
    let table: RouteTable
    let clock: any Clock<Duration>
    let bodyLimit: Int
    let recorder: RequestRecorder

    private var request: HTTPRequest { exchange.request }

    /// Runs until the response is delivered, including a streamed body.
    func run() async {
        do {
            if let fault = request.fieldFault { throw NetworkError(fault, phase: .building) }
            let (route, received) = try await takeRequest()
            if case .webSocket(let route) = route.reply {
                return try await MockUpgrade(exchange: exchange, route: route, clock: clock).run(received)
            }
            let response = try await reply(of: route, to: received)
            if response.delay > .zero { try await clock.sleep(for: response.delay.bounded) }
            let delivery = MockDelivery(
                exchange: exchange, response: response, clock: clock, bytesSent: received.bodyByteCount)
            try await delivery.run()
        } catch {
            exchange.answer(.failure(Self.networkError(error, request)))
        }
    }

    private func takeRequest() async throws -> (Route, MockRequest) {
        var received = MockRequest(request.askingForUpgrade)
        let found = table.take(&received)
        let record = recorder.add(received)
        guard let route = found else {
            recorder.finish(record, as: received)
            throw NetworkError(.invalidRequest(reason: table.unmatched(received)), phase: .building)
        }
        do {
            received.arrival = try await readBody(into: &received, route.bodyReading, record) ? .complete : .aborted
            recorder.finish(record, as: received)
        } catch {
            received.arrival = .aborted
            recorder.finish(record, as: received)
            throw error
        }
        return (route, received)
    }

    /// Returns whether the whole body was read.
    private func readBody(
        into received: inout MockRequest, _ reading: BodyReading, _ record: Int
    ) async throws -> Bool {
        guard let body = request.body else { return true }
        guard reading != .early else { return false }
        let total = body.length
        let pass = body.read()
        while let chunk = try await pass.next() {
            received.bodyByteCount += Int64(chunk.count)
            if let intake = received.intake {
                guard intake.receive(chunk) == nil else {
                    throw NetworkError(.transport(.connectionLost("the mock ended the connection")), phase: .sending)
                }
            } else {
                received.body.append(chunk.prefix(max(0, bodyLimit - received.body.count)))
            }
            recorder.progress(record, to: received.bodyByteCount)
            request.options.onEvent?(.sent(received.bodyByteCount, total: total))
            if case .paced(let bytesPerSecond) = reading {
                try await clock.sleep(for: .seconds(1) * chunk.count / bytesPerSecond)
            }
        }
        received.trailers = try await pass.trailers()
        return true
    }

    private func reply(of route: Route, to received: MockRequest) async throws -> MockResponse {
        switch route.reply {
        case .none, .webSocket:
            throw NetworkError(.invalidRequest(reason: "the mock \(route) has no reply"), phase: .building)
        case .script(let script): return script.next(for: received)
        case .handler(let handler): return try await handler(received)
        }
    }

    /// Converts any error to the one that a transport throws.
    static func networkError(_ error: any Error, _ request: HTTPRequest) -> NetworkError {
        var result =
            switch error {
            case let error as NetworkError: error
            case is CancellationError: NetworkError(.cancelled, phase: .receiving)
            default: NetworkError(.transport(.other("\(error)")), phase: .receiving, underlying: error)
            }
        if result.request == nil { result.request = request }
        return result
    }
}

extension HTTPRequest {
    /// The request with its upgrade fields, as a server receives it.
    fileprivate var askingForUpgrade: HTTPRequest {
        guard let upgrade = options.upgrade else { return self }
        var request = self
        for field in upgrade.fields() { request.fields.append(field) }
        request.fields[.upgrade] = upgrade.name
        request.fields[.connection] = "Upgrade"
        return request
    }
}
