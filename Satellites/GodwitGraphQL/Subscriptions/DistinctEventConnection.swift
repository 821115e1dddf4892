import GodwitCore

/// One subscription over a stream of server-sent events of its own (graphql-sse, distinct connections mode).
actor DistinctEventConnection: SubscriptionConnection {
    private var chunks: HTTPBody.AsyncIterator?
    private var parser: EventStreamParser

    /// Sends the operation. Throws what the server says if it refuses.
    ///
    /// - Parameter limit: The maximum bytes of an event.
    static func open(
        _ exchange: OperationExchange, _ operation: JSONMembers, limit: Int
    ) async throws(NetworkError) -> DistinctEventConnection {
        let response = try await exchange.events(of: operation, accept: "text/event-stream") { head in
            head.fields[.contentType].flatMap(MediaType.init(_:))?.essence == "text/event-stream"
        }
        return DistinctEventConnection(response.body.makeAsyncIterator(), limit)
    }

    private init(_ chunks: HTTPBody.AsyncIterator, _ limit: Int) {
        self.chunks = chunks
        parser = EventStreamParser(limit: limit)
    }

    // The iterator is taken and put back: an actor's property can't be used by an asynchronous mutating call.
    func receive() async throws(NetworkError) -> SubscriptionMessage {
        while true {
            if let message = try message() { return message }
            guard var iterator = chunks.take(), let chunk = try await iterator.next(isolation: self) else {
                let reason = "the event stream ended without `complete`"
                throw NetworkError(.transport(.connectionLost(reason)), phase: .receiving)
            }
            parser.append(chunk)
            chunks = iterator
        }
    }

    private func message() throws(NetworkError) -> SubscriptionMessage? {
        do throws(EventTooLarge) {
            while let event = try parser.next() {
                switch event.type {
                case "next": return .next(id: SubscriptionHub.firstID, Data(event.data.utf8))
                case "complete": return .complete(id: SubscriptionHub.firstID)
                default: continue
                }
            }
            return nil
        } catch {
            throw NetworkError(.tooLarge(limit: Int64(error.limit)), phase: .receiving, underlying: error)
        }
    }

    // The request has started the subscription, and closing the connection ends it.
    nonisolated func subscribe(
        _ id: String, _ operation: JSONMembers
    ) async throws(NetworkError) -> SubscriptionMessage? { nil }

    nonisolated func unsubscribe(_ id: String) async throws(NetworkError) {}

    func close() async {
        chunks = nil
    }
}

extension OperationExchange {
    /// Sends a subscription whose events are the body of the response.
    ///
    /// - Parameter carriesEvents: Whether a successful response has events instead of a result.
    func events(
        of operation: JSONMembers, accept: String, carriesEvents: (HTTPResponseHead) -> Bool
    ) async throws(NetworkError) -> HTTPResponse {
        let endpoint = Endpoint(raw: .post, path, body: .data(Data(operation.text), type: .json), accept: accept)
        var request = try api.request(for: endpoint.options { $0.modelInvalidation = .off })
        request.delivery = .streamed
        // Events may never end.
        request.options.timeouts.total = nil
        request.options.responseLimit = ResponseLimit()
        let response = try await api.send(request)
        if response.head.status.isSuccessful, carriesEvents(response.head) { return response }
        let result = try await result(of: response)
        guard result.errors.isEmpty else { throw result.failure(response) }
        let type = response.head.fields[.contentType]
        throw NetworkError(.unexpectedContentType(type), phase: .validating).adding(response)
    }
}
