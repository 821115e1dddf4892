/// Where a chunk stops being JSON, and why.
struct GrammarFault: Error {
    /// The offset in the chunk.
    let offset: Int
    let reason: String

    init(_ reason: String, at offset: Int) {
        self.offset = offset
        self.reason = reason
    }

    /// - Parameters:
    ///   - expected: What the grammar requires there.
    ///   - bytes: The chunk, for the byte that is there.
    init(expected: String, at offset: Int, in bytes: UnsafeRawBufferPointer) {
        self.init("expected \(expected), found \(Self.name(of: bytes[offset]))", at: offset)
    }

    private static func name(of byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\""): "a quotation mark"
        case 0x0A: "a line break"
        case 0x20..<0x7F: "\"\(Character(UnicodeScalar(byte)))\""
        default: "the byte 0x\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
        }
    }
}
