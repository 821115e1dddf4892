import GodwitSupport
import Synchronization

/// Hands out the parts that the server doesn't have, each once.
private final class MissingParts: Sendable {
    private let indices: Mutex<ArraySlice<Int>>

    init(_ ticket: UploadTicket) {
        indices = Mutex(ticket.parts.indices.filter { !ticket.parts[$0].isComplete }[...])
    }

    func next() -> Int? { indices.withLock { $0.popFirst() } }
}

/// Sends the parts of a file to presigned URLs, several at once, and has the app complete the upload.
struct PresignedRun<Value: Sendable>: Sendable {
    private typealias Outcome = Result<HTTPResponse?, NetworkError>

    let api: APIClient
    let plan: UploadParts<Value>
    let record: UploadRecord
    let observer: TransferObserver
    let timeline: Timeline

    var work: UploadWork<Value> {
        UploadWork(
            record: record, observer: observer, send: { () throws(NetworkError) in try await self() },
            discard: {
                record.removeTicket()
                await plan.abort()
            },
            // What was paused or canceled by its task can be continued.
            cleansUp: { $0.kind != .cancelled })
    }

    private func callAsFunction() async throws(NetworkError) -> Response<Value> {
        let source = record.ticket.source
        try source.confirm()
        try await record.save()
        observer.jump(to: record.update(\.completed), total: source.size)
        let last = try await sendParts()
        try source.confirm()
        let value = try await complete()
        record.removeTicket()
        observer.conclude(source.size, total: source.size)
        let url = record.ticket.url
        return Response(
            value, of: last ?? HTTPResponse(head: HTTPResponseHead(status: .ok), request: HTTPRequest(url: url)))
    }

    /// Returns the response to the part that was sent last; `nil` if none was missing.
    private func sendParts() async throws(NetworkError) -> HTTPResponse? {
        let ticket = record.ticket
        let missing = MissingParts(ticket)
        let count = min(max(1, ticket.options.parallelParts), 16)
        let outcome = await withTaskGroup(of: Outcome.self) { group in
            for _ in 0..<count {
                group.addTask { await send(missing) }
            }
            var last: HTTPResponse?
            var failure: NetworkError?
            for await outcome in group {
                switch outcome {
                case .success(let response): last = response ?? last
                case .failure(let error):
                    // The others are canceled and fail because of that.
                    failure = failure ?? error
                    group.cancelAll()
                }
            }
            return failure.map { Outcome.failure($0) } ?? .success(last)
        }
        return try outcome.get()
    }

    /// Sends one part after the other.
    private func send(_ missing: MissingParts) async -> Outcome {
        await Result.catching { () async throws(NetworkError) in
            var last: HTTPResponse?
            while let index = missing.next() { last = try await send(index) }
            return last
        }
    }

    private func send(_ index: Int) async throws(NetworkError) -> HTTPResponse {
        while true {
            do throws(NetworkError) {
                return try await attempt(index)
            } catch {
                let failures = record.update { $0.noteRejection(sendings: error.sendings) }
                let request = error.request ?? HTTPRequest(url: record.ticket.url, options: api.configuration.options)
                // A URL that has expired is refused, and the next attempt gets another.
                try await TransferRetry(api, retryable(request), timeline)
                    .wait(after: error, failures: failures, isRepairable: error.kind == .forbidden)
            }
        }
    }

    /// The client's own rule counts: that of a part's request says never.
    private func retryable(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.options.retry = nil
        return request
    }

    private func attempt(_ index: Int) async throws(NetworkError) -> HTTPResponse {
        let ticket = record.ticket
        let part = ticket.parts[index]
        try ticket.source.confirm()
        var request = try await planned { () async throws in
            try await plan.request(UploadParts.Part(number: index + 1, range: part.range))
        }
        request.body = ticket.source.body(part.range)
        request.options.retry = .never
        request.options.earlierSendings = record.update(\.earlierSendings)
        request.options.compression = .off
        request.withholdClientSecrets()
        let onEvent = request.options.onEvent
        request.options.onEvent = { event in
            if case .sent(let count, _) = event {
                observer.advance(to: record.update { $0.send(index, upTo: count) }, total: ticket.total)
            }
            onEvent?(event)
        }
        let response = try await api.accepted(request)
        guard let etag = response.head.fields.agreedValue(of: .etag) else {
            throw NetworkError(
                .invalidResponse(reason: "the response to a part has no ETag"), phase: .receiving, request: request,
                response: response.head)
        }
        record.update { $0.complete(index, etag: etag) }
        try await record.save()
        return response
    }

    private func complete() async throws(NetworkError) -> Value {
        let finished = record.ticket.parts.enumerated().map { index, part in
            UploadParts<Value>.Finished(number: index + 1, etag: part.etag ?? "")
        }
        return try await planned { () async throws in try await plan.complete(finished) }
    }

    /// Runs a closure of the app. Errors other than `NetworkError` become the underlying error of one.
    private func planned<Result: Sendable>(
        _ body: () async throws -> Result
    ) async throws(NetworkError) -> Result {
        do {
            return try await body()
        } catch let error as NetworkError {
            throw error
        } catch is CancellationError {
            throw NetworkError(.cancelled, phase: .building)
        } catch {
            throw NetworkError(
                .invalidRequest(reason: "the plan of the upload's parts failed"), phase: .building, underlying: error)
        }
    }
}
