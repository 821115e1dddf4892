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
        let reservation = Endpoint<Data>(method: .put, path: path, accept: "text/plain") { data, _, _ in data }
        let data = try await api.send(reservation.options { $0.modelInvalidation = .off })
        let token = String(decoding: data.prefix(longestToken + 1), as: UTF8.self)
        guard !token.isEmpty, token.utf8.count <= longestToken, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw NetworkError(.invalidResponse(reason: "the server sent no usable stream token"), phase: .validating)
        }
        return EventStreamConnection(api, path, token)
    }

    private init(_ api: APIClient, _ path: EndpointPath, _ token: String) {
        (self.api, self.path, self.token) = (api, path, token)
        let stream = Endpoint<Data>(method: .get, path: path, accept: "text/event-stream") { data, _, _ in data }
        events = api.events(stream.header(Self.tokenField, token)) { $0.reconnection = .never }.makeAsyncIterator()
    }

    // A Mutex can't be held while waiting: the iterator is taken and put back. There is one reader.
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
            throw NetworkError(.transport(.protocolViolation("an event without an operation's ID")), phase: .receiving)
        }
        guard event.type == "next" else { return .complete(id: id) }
        guard let payload = root["payload"] else {
            throw NetworkError(.transport(.protocolViolation("a result without payload")), phase: .receiving)
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
        let endpoint = Endpoint<Data>(
            method: .post, path: path, body: .data(Data(operation.text), type: .json), accept: OperationExchange.accept
        ) { data, _, _ in data }
        do throws(NetworkError) {
            let data = try await api.send(prepared(endpoint))
            // 202 without errors; servers also refuse with a GraphQL response.
            let errors = RawResult(parsing: data)?.errors ?? []
            return errors.isEmpty ? nil : .error(id: id, errors)
        } catch {
            // The operation is refused; the stream continues.
            let errors = error.body.flatMap { RawResult(parsing: $0) }?.errors ?? []
            guard error.response != nil, !errors.isEmpty else { throw error }
            return .error(id: id, errors)
        }
    }

    nonisolated func unsubscribe(_ id: String) async throws(NetworkError) {
        let endpoint = Endpoint<Data>(
            method: .delete, path: path, query: ["operationId": id], accept: "*/*"
        ) { data, _, _ in data }
        do throws(NetworkError) {
            _ = try await api.send(prepared(endpoint))
        } catch {
            // The operation had ended before.
            guard error.response != nil else { throw error }
        }
    }

    private nonisolated func prepared(_ endpoint: Endpoint<Data>) -> Endpoint<Data> {
        endpoint.header(Self.tokenField, token).options { $0.modelInvalidation = .off }
    }

    func close() async {
        events = nil
    }
}
