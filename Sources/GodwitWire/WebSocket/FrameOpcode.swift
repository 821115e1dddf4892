/// What a frame is (RFC 6455 section 5.2).
package enum FrameOpcode: UInt8, Sendable, Hashable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// Whether it is a close, ping or pong, which may stand between the fragments of a message (section 5.4).
    package var isControl: Bool { rawValue >= 0x8 }
}
