/// Why a WebSocket was closed (RFC 6455 section 7.4).
///
/// Codes from 3000 to 4999 are for libraries and applications: `WebSocketCloseCode(4001)`.
///
/// ```swift
/// await socket.close(.goingAway, reason: "bye")
/// ```
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: UInt16

    /// Takes any number; whether it may be sent is another question, see ``isSendable``.
    ///
    /// - Parameter rawValue: The number; 1000 to 4999 are in use (RFC 6455 section 7.4).
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Takes any number.
    ///
    /// - Parameter code: The number; 3000 to 4999 are free for libraries and applications.
    public init(_ code: UInt16) {
        rawValue = code
    }

    /// The purpose is fulfilled.
    public static let normalClosure = Self(1000)
    /// A server goes down, or a client leaves.
    public static let goingAway = Self(1001)
    /// The peer broke the protocol.
    public static let protocolError = Self(1002)
    /// The peer sent a kind of data that cannot be taken.
    public static let unsupportedData = Self(1003)
    /// The peer's close frame named no code. Never sent.
    public static let noStatus = Self(1005)
    /// The connection ended without a close frame. Never sent.
    public static let abnormalClosure = Self(1006)
    /// The data does not fit its type, such as text that is not UTF-8.
    public static let invalidPayload = Self(1007)
    /// The message breaks a rule of the receiver's.
    public static let policyViolation = Self(1008)
    /// The message is too large.
    public static let messageTooBig = Self(1009)
    /// The server does not offer an extension that the client needs.
    public static let mandatoryExtension = Self(1010)
    /// The server met something unexpected.
    public static let internalError = Self(1011)
    /// The server restarts: come back after a while.
    public static let serviceRestart = Self(1012)
    /// The server is overloaded: come back after a while.
    public static let tryAgainLater = Self(1013)
    /// A gateway got an invalid answer.
    public static let badGateway = Self(1014)

    /// Whether the code may stand in a close frame: 1000 to 1014 but those that only describe, and 3000 to 4999.
    public var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// Whether connecting again may well help: the server went away, restarts, is overloaded or met trouble, named no
    /// reason, or the connection broke.
    public var isWorthReconnecting: Bool {
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
