/// A message of a WebSocket, whole: fragments are joined, compression is undone.
///
/// ```swift
/// for try await message in socket.messages {
///     if case .text(let text) = message { print(text) }
/// }
/// ```
public enum WebSocketMessage: Sendable, Hashable, Nonisolated {
    /// Text; valid UTF-8 on the wire.
    case text(String)
    /// Bytes that mean what both sides agreed on.
    case binary(Data)

    /// The number of bytes of content.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let data): data.count
        }
    }
}
