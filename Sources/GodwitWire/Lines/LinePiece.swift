/// What a chunk has up to the next ending or its own end.
struct LinePiece {
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D

    /// A copy of the bytes before the ending.
    let content: Data
    /// LF or CR; nil where the line goes on in the next chunk.
    let ending: UInt8?
    /// The offset to go on from.
    let next: Int

    init(in bytes: UnsafeRawBufferPointer, from start: Int, style: LineStyle) {
        let other = style == .text ? Self.carriageReturn : Self.lineFeed
        let found = ByteSearch.first(of: Self.lineFeed, or: other, in: bytes, from: start)
        let end = found ?? bytes.count
        content = Data(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        ending = found.map { bytes[$0] }
        next = found.map { $0 + 1 } ?? end
    }
}
