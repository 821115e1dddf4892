/// What a middleware observed, as it is: converting it to a ``TrafficEvent`` is left to the thread that sends it.
struct TrafficNote: Sendable {
    enum Content: Sendable {
        case started(Call, HTTPRequest, @Sendable () -> Next?, replayOf: UInt64?)
        case sent(Call, HTTPFields, exchange: UInt64)
        case answered(HTTPResponse, exchange: UInt64)
        case chunk(Data, of: HTTPRequest, exchange: UInt64)
        case ended(NetworkError?, TransferMetrics?, size: Int64, exchange: UInt64)
        case message(WebSocketMessage, isSent: Bool, SentSecrets?)
        case finished(HTTPResponse, isShared: Bool, isSent: Bool)
        case failed(NetworkError, exchange: UInt64?)
        /// A server sent its response.
        case served(HTTPResponse)
        /// A server ended the connection, or the client did.
        case broken(String, exchange: UInt64)
        /// The values of a store, and the URLs that they are loaded from.
        case values(TrafficEvent.StoredValues, [HTTPURL])
    }

    let call: UInt64
    /// In milliseconds since 1970.
    let time: Double
    let content: Content

    init(_ call: UInt64, _ content: Content) {
        self.call = call
        self.content = content
        time = Date().timeIntervalSince1970 * 1000
    }

    /// The bytes that a queue keeps for it, approximately.
    var size: Int {
        switch content {
        case .started: 512
        case .sent(let call, _, _): 512 + (call.request.body?.bytesInMemory ?? 0)
        case .answered(let response, _): 512 + response.body.bytesInMemory
        case .chunk(let data, _, _): 64 + data.count
        case .message(.text(let text), _, _): 64 + text.utf8.count
        case .message(.binary(let data), _, _): 64 + data.count
        case .ended, .finished, .failed, .served, .broken: 512
        case .values(_, let urls): 64 + 512 * urls.count
        }
    }
}

extension HTTPBody {
    /// The number of bytes of a body that is in memory; 0 for others.
    var bytesInMemory: Int {
        if case .bytes(let data) = storage { data.count } else { 0 }
    }
}
