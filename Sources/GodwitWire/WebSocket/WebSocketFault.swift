/// What a peer did wrong, and the code that tells it so.
package struct WebSocketFault: Error, Sendable, Hashable {
    package let code: WebSocketCloseCode
    package let reason: String

    package init(_ code: WebSocketCloseCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    static func violation(_ reason: String) -> WebSocketFault {
        WebSocketFault(.protocolError, reason)
    }

    static let notUTF8 = WebSocketFault(.invalidPayload, "the text is not UTF-8")

    package static func tooLarge(limit: Int) -> WebSocketFault {
        WebSocketFault(.messageTooBig, "the message is larger than \(limit) bytes")
    }
}
