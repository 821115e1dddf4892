/// What a close frame says (RFC 6455 section 5.5.1).
package struct CloseContent: Sendable, Hashable {
    /// The code; ``WebSocketCloseCode/noStatus`` where the frame named none.
    package var code: WebSocketCloseCode
    /// Why, in words; empty where there are none.
    package var reason: String

    /// Makes the content of a close frame; ``bytes`` cuts what does not fit.
    package init(_ code: WebSocketCloseCode, reason: String = "") {
        self.code = code
        self.reason = reason
    }

    /// Reads the content of a close frame.
    init(_ bytes: [UInt8]) throws(WebSocketFault) {
        guard !bytes.isEmpty else {
            self.init(.noStatus)
            return
        }
        guard bytes.count >= 2 else { throw .violation("a close frame has half a code") }
        let code = WebSocketCloseCode(UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        guard code.isSendable else { throw .violation("the close code \(code) may not be sent") }
        guard let reason = String(validating: bytes[2...], as: UTF8.self) else { throw .notUTF8 }
        self.init(code, reason: reason)
    }

    /// The content of a close frame. A reason that does not fit is cut at a character; a code that may not be sent is
    /// left out.
    package var bytes: [UInt8] {
        guard code.isSendable else { return [] }
        var bytes = [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)]
        for character in reason {
            guard bytes.count + character.utf8.count <= FrameHeader.maximumControlLength else { break }
            bytes += character.utf8
        }
        return bytes
    }
}
