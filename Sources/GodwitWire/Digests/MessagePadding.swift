/// How MD5 and SHA-1 fill a message up to whole blocks of 64 bytes: a one bit, zeros, and the length in bits.
enum MessagePadding {
    /// - Parameter bitCount: The byte order in which the length is written.
    static func padded(_ bytes: some Sequence<UInt8>, bitCount order: (UInt64) -> UInt64) -> [UInt8] {
        var message = Array(bytes)
        let length = UInt64(message.count) &* 8
        message.append(0x80)
        message.append(contentsOf: repeatElement(0, count: (120 - message.count % 64) % 64))
        withUnsafeBytes(of: order(length)) { message.append(contentsOf: $0) }
        return message
    }
}
