/// Why a WebSocket was closed (RFC 6455 section 7.4).
///
/// Codes from 3000 to 4999 are for libraries and applications: `WebSocketCloseCode(4001)`.
///
/// ```swift
/// await socket.close(.goingAway, reason: "bye")
/// ```
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    /// The code as a number, such as 1000.
    public let rawValue: UInt16

    /// Creates a code from any number; ``isSendable`` tells whether it may be sent.
    ///
    /// - Parameter rawValue: The number; 1000 to 4999 are in use (RFC 6455 section 7.4).
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Creates a code from any number.
    ///
    /// - Parameter code: The number; 3000 to 4999 are free for libraries and applications.
    public init(_ code: UInt16) {
        rawValue = code
    }

    /// The connection has fulfilled its purpose.
    public static let normalClosure = Self(1000)
    /// The server is going down, or the client is leaving.
    public static let goingAway = Self(1001)
    /// The peer violated the protocol.
    public static let protocolError = Self(1002)
    /// The peer sent a type of data that isn't accepted.
    public static let unsupportedData = Self(1003)
    /// The close frame had no code. Never sent.
    public static let noStatus = Self(1005)
    /// The connection ended without a close frame. Never sent.
    public static let abnormalClosure = Self(1006)
    /// The data doesn't match its type, such as text that isn't UTF-8.
    public static let invalidPayload = Self(1007)
    /// The message violates a policy of the receiver.
    public static let policyViolation = Self(1008)
    /// The message is too large.
    public static let messageTooBig = Self(1009)
    /// The server didn't negotiate an extension that the client needs.
    public static let mandatoryExtension = Self(1010)
    /// The server encountered an unexpected condition.
    public static let internalError = Self(1011)
    /// The server is restarting: reconnect later.
    public static let serviceRestart = Self(1012)
    /// The server is overloaded: reconnect later.
    public static let tryAgainLater = Self(1013)
    /// A gateway received an invalid response.
    public static let badGateway = Self(1014)

    /// Whether a close frame may contain the code: 1000 to 1014, except those that only describe, and 3000 to 4999.
    public var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// Whether reconnecting may help: the server went away, is restarting, overloaded or failed, gave no reason, or the
    /// connection broke.
    package var isWorthReconnecting: Bool {
        switch rawValue {
        case 1001, 1005, 1006, 1011...1014: true
        default: false
        }
    }
}

extension WebSocketCloseCode: CustomStringConvertible {
    /// The number in decimal.
    public var description: String { "\(rawValue)" }
}

/// The content of a close frame (RFC 6455 section 5.5.1).
package struct CloseContent: Sendable, Hashable {
    /// The code; ``WebSocketCloseCode/noStatus`` if the frame had none.
    package var code: WebSocketCloseCode
    /// The reason; may be empty.
    package var reason: String

    /// Creates the content of a close frame; ``bytes`` truncates a reason that doesn't fit.
    package init(_ code: WebSocketCloseCode, reason: String = "") {
        self.code = code
        self.reason = reason
    }

    /// Parses the content of a close frame.
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

    /// The content of a close frame. An overlong reason is truncated at a character; a code that may not be sent is
    /// omitted.
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

/// A peer's violation, and the close code for it.
package struct WebSocketFault: Error, Sendable, Hashable {
    /// The code for the close frame.
    package let code: WebSocketCloseCode
    /// What was wrong, for a developer.
    package let reason: String

    package init(_ code: WebSocketCloseCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// A protocol violation: 1002.
    static func violation(_ reason: String) -> WebSocketFault {
        WebSocketFault(.protocolError, reason)
    }

    /// Invalid UTF-8 in a text message: 1007 (section 8.1).
    static let notUTF8 = WebSocketFault(.invalidPayload, "the text is not UTF-8")

    /// A message over the limit: 1009.
    package static func tooLarge(limit: Int) -> WebSocketFault {
        WebSocketFault(.messageTooBig, "the message is larger than \(limit) bytes")
    }
}
