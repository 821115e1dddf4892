/// What a peer did wrong, and the code that tells it so.
package struct WebSocketFault: Error, Sendable, Hashable {
    /// What the close frame says.
    package let code: WebSocketCloseCode
    /// What was wrong, for a developer.
    package let reason: String

    /// Makes a fault.
    package init(_ code: WebSocketCloseCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// What breaks the protocol: 1002.
    static func violation(_ reason: String) -> WebSocketFault {
        WebSocketFault(.protocolError, reason)
    }

    /// Text that is none: 1007 (section 8.1).
    static let notUTF8 = WebSocketFault(.invalidPayload, "the text is not UTF-8")

    /// A message beyond the limit: 1009.
    ///
    /// - Parameter limit: In bytes, after decompression.
    package static func tooLarge(limit: Int) -> WebSocketFault {
        WebSocketFault(.messageTooBig, "the message is larger than \(limit) bytes")
    }
}
