import GodwitCore

/// Subscriptions over one stream of server-sent events (graphql-sse, single connection mode): PUT reserves the stream, GET
/// reads it, POST starts an operation and DELETE ends it.
actor EventStreamConnection: SubscriptionConnection {
    private static let tokenField: HTTPField.Name = "X-GraphQL-Event-Stream-Token"
    /// Longer tokens don't fit into a header field of common servers.
    private static let longestToken = 4096

    private let api: APIClient
    private let path: EndpointPath
    private let token: String
    private var events: EventSource.AsyncIterator?

    static func open(_ api: APIClient, _ path: EndpointPath) async throws(NetworkError) -> EventStreamConnection {
        let reservation = Endpoint(raw: .put, path, accept: "text/plain")
        let data = try await api.send(reservation.options { $0.modelInvalidation = .off })
        let token = String(decoding: data.prefix(longestToken + 1), as: UTF8.self)
        guard !token.isEmpty, token.utf8.count <= longestToken, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw NetworkError(.invalidResponse(reason: "the server sent no usable stream token"), phase: .validating)
        }
        return EventStreamConnection(api, path, token)
    }

    private init(_ api: APIClient, _ path: EndpointPath, _ token: String) {
        self.api = api
        self.path = path
        self.token = token
        let stream = Endpoint(raw: .get, path, accept: "text/event-stream")
        events = api.events(stream.header(Self.tokenField, token)) { $0.reconnection = .never }.makeAsyncIterator()
    }

    // The iterator is taken and put back: an actor's property can't be used by an asynchronous mutating call.
    func receive() async throws(NetworkError) -> SubscriptionMessage {
        while true {
            guard var iterator = events.take() else {
                throw NetworkError(.transport(.connectionLost("the event stream ended")), phase: .receiving)
            }
            guard let event = try await iterator.next(isolation: self) else { continue }
            events = iterator
            if let message = try Self.message(event) { return message }
        }
    }

    private static func message(_ event: ServerSentEvent) throws(NetworkError) -> SubscriptionMessage? {
        guard event.type == "next" || event.type == "complete" else { return nil }
        let root = (try? JSONDocument(parsing: Data(event.data.utf8)))?.root
        guard let root, let id = root["id"]?.string else {
            throw .violation("an event without an operation's ID")
        }
        guard event.type == "next" else { return .complete(id: id) }
        guard let payload = root["payload"] else {
            throw .violation("a result without payload")
        }
        return .next(id: id, Data(payload.source))
    }

    nonisolated func subscribe(
        _ id: String, _ operation: JSONMembers
    ) async throws(NetworkError) -> SubscriptionMessage? {
        var operation = operation
        let extensions = operation.remove("extensions").flatMap { JSONMembers($0) } ?? JSONMembers()
        let own = JSONMembers.Member("operationId", JSONMembers.quoted(id))
        operation.members.append(.init("extensions", JSONMembers(extensions.members + [own]).text))
        let endpoint = Endpoint(
            raw: .post, path, body: .data(Data(operation.text), type: .json), accept: OperationExchange.accept)
        do throws(NetworkError) {
            let data = try await api.send(prepared(endpoint))
            // 202 without errors; servers also refuse with a GraphQL response.
            let errors = RawResult(parsing: data)?.errors ?? []
            return errors.isEmpty ? nil : .error(id: id, errors)
        } catch {
            return try Self.refusal(error, of: id)
        }
    }

    /// A refused operation doesn't end the others. Throws what ends the stream.
    private static func refusal(_ error: NetworkError, of id: String) throws(NetworkError) -> SubscriptionMessage {
        guard let status = error.response?.status else { throw error }
        let errors = error.body.flatMap { RawResult(parsing: $0) }?.errors ?? []
        if !errors.isEmpty { return .error(id: id, errors) }
        guard status == .notFound else { return .failed(id: id, error) }
        throw NetworkError(
            .transport(.connectionLost("the server doesn't know the event stream")), phase: .sending,
            request: error.request, response: error.response, underlying: error)
    }

    nonisolated func unsubscribe(_ id: String) async throws(NetworkError) {
        let endpoint = Endpoint(raw: .delete, path, query: ["operationId": id], accept: "*/*")
        // The operation may have ended before. If the server is gone, the reader of the stream throws.
        _ = try? await api.send(prepared(endpoint))
    }

    private nonisolated func prepared(_ endpoint: Endpoint<Data>) -> Endpoint<Data> {
        endpoint.header(Self.tokenField, token).options { $0.modelInvalidation = .off }
    }

    func close() async {
        events = nil
    }
}
