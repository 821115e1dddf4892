/// Bytes from the kernel; reading past their end gives nil.
package struct NetlinkBytes: Sendable {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    func uint8(at offset: Int) -> UInt8? {
        offset < count ? bytes[bytes.startIndex + offset] : nil
    }

    func uint16(at offset: Int) -> UInt16? { value(at: offset) }

    func uint32(at offset: Int) -> UInt32? { value(at: offset) }

    func slice(_ range: Range<Int>) -> NetlinkBytes {
        let start = min(range.lowerBound, count)
        let end = min(max(range.upperBound, start), count)
        return NetlinkBytes(bytes[(bytes.startIndex + start)..<(bytes.startIndex + end)])
    }

    func dropping(_ length: Int) -> NetlinkBytes {
        NetlinkBytes(bytes.dropFirst(length))
    }

    /// The text up to the first NUL.
    var text: String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }

    /// The attributes behind a structure of this size, each a type and a value (struct rtattr).
    func attributes(after size: Int) -> [(type: UInt16, value: NetlinkBytes)] {
        var found: [(UInt16, NetlinkBytes)] = []
        var rest = dropping(Self.aligned(size))
        while let length = rest.uint16(at: 0).map(Int.init), let type = rest.uint16(at: 2), length >= 4,
            length <= rest.count
        {
            // The upper two bits say how the value is made, not what it is.
            found.append((type & 0x3FFF, rest.slice(4..<length)))
            rest = rest.dropping(Self.aligned(length))
        }
        return found
    }

    static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }

    private func value<Value: FixedWidthInteger>(at offset: Int) -> Value? {
        let size = MemoryLayout<Value>.size
        guard offset + size <= count else { return nil }
        return slice(offset..<(offset + size)).bytes.withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
    }
}
