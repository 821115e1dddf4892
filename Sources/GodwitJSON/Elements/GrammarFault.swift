/// Where a chunk stops being JSON, and why.
struct GrammarFault: Error {
    /// The offset in the chunk.
    let offset: Int
    /// What was expected: "expected a value".
    let expectation: String
    /// The byte that is there: the character, or a number if it can't be shown.
    let found: String

    /// - Parameters:
    ///   - expected: What the grammar requires there.
    ///   - bytes: The chunk.
    init(expected: String, at offset: Int, in bytes: UnsafeRawBufferPointer) {
        self.offset = offset
        expectation = "expected \(expected)"
        let byte = bytes[offset]
        found =
            (0x20..<0x7F).contains(byte) ? String(UnicodeScalar(byte)) : "0x\(String(byte, radix: 16))"
    }
}
