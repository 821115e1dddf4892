/// The encoding of a JSON text, by its byte order mark or the zeros in its first bytes (RFC 4627, section 3).
enum TextEncoding {
    /// The text in UTF-8, without a byte order mark; `nil` if the bytes are invalid in their encoding.
    static func utf8(_ data: Data) -> Data? {
        // The start of almost every document: neither a mark nor a zero.
        if data.withUnsafeBytes({ $0.prefix(4).allSatisfy { (1..<0x80).contains($0) } }) { return data }
        let first = Array(data.prefix(4))
        switch first {
        case _ where first.starts(with: [0xEF, 0xBB, 0xBF]): return data.dropFirst(3)
        case [0, 0, 0xFE, 0xFF]: return text(data.dropFirst(4), in: .utf32BigEndian)
        case [0xFF, 0xFE, 0, 0]: return text(data.dropFirst(4), in: .utf32LittleEndian)
        case _ where first.starts(with: [0xFE, 0xFF]): return text(data.dropFirst(2), in: .utf16BigEndian)
        case _ where first.starts(with: [0xFF, 0xFE]): return text(data.dropFirst(2), in: .utf16LittleEndian)
        default: break
        }
        let zeros = first.map { $0 == 0 }
        switch zeros {
        case [true, true, true, false]: return text(data, in: .utf32BigEndian)
        case [false, true, true, true]: return text(data, in: .utf32LittleEndian)
        case [true, false, true, false], [true, false]: return text(data, in: .utf16BigEndian)
        case [false, true, false, true], [false, true]: return text(data, in: .utf16LittleEndian)
        default: return data
        }
    }

    private static func text(_ data: Data, in encoding: String.Encoding) -> Data? {
        String(data: data, encoding: encoding).map { Data($0.utf8) }
    }
}
