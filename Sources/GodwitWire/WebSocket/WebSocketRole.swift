/// Which side of a WebSocket one is. Clients mask what they send, servers do not (RFC 6455 section 5.1).
package enum WebSocketRole: Sendable, Hashable {
    case client, server
}
