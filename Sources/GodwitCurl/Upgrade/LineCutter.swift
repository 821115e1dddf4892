/// Cuts the head of an answer into lines, as libcurl would hand them over.
struct LineCutter {
    private var partial: [UInt8] = []
    /// The bytes of all lines together.
    private(set) var size = 0

    /// The next line with its end, taken from the front of the bytes; nil where it is not all there yet.
    mutating func next(in bytes: inout UnsafeRawBufferPointer) -> [UInt8]? {
        guard let end = bytes.firstIndex(of: 0x0A) else {
            partial.append(contentsOf: bytes)
            size += bytes.count
            bytes = UnsafeRawBufferPointer(rebasing: bytes[bytes.count...])
            return nil
        }
        let line = partial + bytes[...end]
        size += end + 1
        partial = []
        bytes = UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...])
        return line
    }
}
