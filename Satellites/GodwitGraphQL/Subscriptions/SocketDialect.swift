import GodwitCore

/// The words of a subprotocol for subscriptions over WebSocket.
enum SocketDialect: Sendable {
    case transport, legacy

    /// The name of the subprotocol.
    var name: String { self == .transport ? "graphql-transport-ws" : "graphql-ws" }

    func initialization(_ payload: JSONValue?) throws(NetworkError) -> String {
        let payload = try payload.map { value throws(NetworkError) in Array(try JSONCoding().encode(value)) }
        return Self.message("connection_init", payload: payload)
    }

    func subscribe(_ id: String, _ operation: JSONMembers) -> String {
        Self.message(self == .transport ? "subscribe" : "start", id: id, payload: operation.text)
    }

    func unsubscribe(_ id: String) -> String {
        Self.message(self == .transport ? "complete" : "stop", id: id)
    }

    static func message(_ type: String, id: String? = nil, payload: [UInt8]? = nil) -> String {
        var members = [JSONMembers.Member("type", JSONMembers.quoted(type))]
        if let id { members.insert(.init("id", JSONMembers.quoted(id)), at: 0) }
        if let payload { members.append(.init("payload", payload)) }
        return String(decoding: JSONMembers(members).text, as: UTF8.self)
    }

    /// A message of the server.
    enum Incoming: Sendable {
        case acknowledged
        case refused(String)
        case ping(payload: Data?)
        /// An answer to a ping, or a sign of life.
        case alive
        case message(SubscriptionMessage)
        case invalid(String)
    }

    func read(_ message: WebSocketMessage) -> Incoming {
        guard case .text(let text) = message, let root = (try? JSONDocument(parsing: Data(text.utf8)))?.root else {
            return .invalid("a message that is not JSON")
        }
        guard let type = root["type"]?.string else { return .invalid("a message without a type") }
        switch (self, type) {
        case (_, "connection_ack"): return .acknowledged
        case (.transport, "ping"): return .ping(payload: root["payload"].map { Data($0.source) })
        case (.transport, "pong"), (.legacy, "ka"): return .alive
        case (.legacy, "connection_error"):
            return .refused(root["payload"]?["message"]?.string ?? "no reason was given")
        default: return read(type, root)
        }
    }

    private func read(_ type: String, _ root: JSONElement) -> Incoming {
        guard let id = root["id"]?.string else {
            return .invalid("a message of type \"\(type.prefix(40))\" without an ID")
        }
        switch (self, type) {
        case (.transport, "next"), (.legacy, "data"):
            guard let payload = root["payload"], payload.kind == .object else {
                return .invalid("a result without payload")
            }
            return .message(.next(id: id, Data(payload.source)))
        case (_, "complete"): return .message(.complete(id: id))
        case (_, "error"):
            guard let payload = root["payload"] else { return .invalid("an error without payload") }
            return .message(.error(id: id, GraphQLError.list(payload) ?? [GraphQLError(payload)]))
        default: return .invalid("a message of unknown type \"\(type.prefix(40))\"")
        }
    }
}
