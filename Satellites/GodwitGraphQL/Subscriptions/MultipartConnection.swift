import GodwitCore

/// One subscription over a response of its own: `multipart/mixed` with `subscriptionSpec=1.0`, the protocol of Apollo Router.
actor MultipartConnection: SubscriptionConnection {
    private static let accept =
        "multipart/mixed;subscriptionSpec=1.0, application/graphql-response+json, application/json"

    private var chunks: HTTPBody.AsyncIterator?
    private var parts: MultipartMixedParser

    /// Sends the operation. Throws what the server says if it refuses.
    ///
    /// - Parameter limit: The maximum bytes of a part.
    static func open(
        _ exchange: OperationExchange, _ operation: JSONMembers, limit: Int
    ) async throws(NetworkError) -> MultipartConnection {
        let response = try await exchange.events(of: operation, accept: accept) { mixedType(of: $0) != nil }
        let boundary = mixedType(of: response.head)?.boundary ?? "-"
        return MultipartConnection(response.body.makeAsyncIterator(), boundary, limit)
    }

    /// Some servers repeat what they accept after a comma.
    private static func mixedType(of head: HTTPResponseHead) -> MediaType? {
        let text = head.fields[.contentType] ?? ""
        let type = MediaType(text) ?? MediaType(String(text.prefix { $0 != "," }))
        return type?.essence == "multipart/mixed" ? type : nil
    }

    private init(_ chunks: HTTPBody.AsyncIterator, _ boundary: String, _ limit: Int) {
        self.chunks = chunks
        parts = MultipartMixedParser(boundary: boundary, limit: limit)
    }

    // The iterator is taken and put back: an actor's property can't be used by an asynchronous mutating call.
    func receive() async throws(NetworkError) -> SubscriptionMessage {
        while true {
            while let part = try part() {
                if let message = try Self.message(part) { return message }
            }
            guard var iterator = chunks.take() else { throw Self.lost("the response ended") }
            if parts.isFinished { return .complete(id: SubscriptionHub.firstID) }
            guard let chunk = try await iterator.next(isolation: self) else {
                throw Self.lost("the response ended without a closing boundary")
            }
            chunks = iterator
            parts.append(chunk)
        }
    }

    private func part() throws(NetworkError) -> Data? {
        do throws(MultipartMixedParser.TooLarge) {
            return try parts.next()
        } catch {
            throw NetworkError(.tooLarge(limit: Int64(error.limit)), phase: .receiving)
        }
    }

    /// `nil` for a part that only keeps the connection open.
    private static func message(_ part: Data) throws(NetworkError) -> SubscriptionMessage? {
        guard let root = (try? JSONDocument(parsing: part))?.root, root.kind == .object else {
            throw .violation("a part that is not a JSON object")
        }
        if let payload = root["payload"], payload.kind == .object {
            return .next(id: SubscriptionHub.firstID, Data(payload.source))
        }
        // The subscription failed as a whole.
        let errors = GraphQLError.list(root["errors"]) ?? []
        return errors.isEmpty ? nil : .error(id: SubscriptionHub.firstID, errors)
    }

    private static func lost(_ reason: String) -> NetworkError {
        NetworkError(.transport(.connectionLost(reason)), phase: .receiving)
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
