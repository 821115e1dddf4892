import Godwit

/// Compressed contents made by hand, so that no library is needed that transports use themselves.
enum Codings {
    /// Gzip (RFC 1952) of stored blocks: nothing is compressed, all is checked.
    static func gzip(_ data: Data) -> Data {
        gzipHeader + deflate(data) + littleEndian(crc32(data)) + littleEndian(UInt32(data.count))
    }

    /// Zlib's format (RFC 1950).
    static func zlib(_ data: Data) -> Data {
        Data([0x78, 0x01]) + deflate(data) + Data(littleEndian(adler32(data)).reversed())
    }

    /// Bare deflate (RFC 1951) of stored blocks.
    static func deflate(_ data: Data) -> Data {
        guard !data.isEmpty else { return Data([1, 0, 0, 0xFF, 0xFF]) }
        var result = Data()
        var rest = data[...]
        while !rest.isEmpty {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            result.append(rest.isEmpty ? 1 : 0)
            result.append(contentsOf: [UInt8(length & 0xFF), UInt8(length >> 8)])
            result.append(contentsOf: [UInt8(~length & 0xFF), UInt8(~length >> 8)])
            result.append(block)
        }
        return result
    }

    /// Gzip of so many zeros (rounded up), about 160 times smaller: a literal 0 and then "258 more of the last byte".
    static func gzipOfZeros(_ count: Int) -> Data {
        var bits = BitWriter()
        bits.write(0b1, 1)
        bits.write(0b01, 2)
        // Fixed Huffman codes (RFC 1951 section 3.2.6), the first bit first.
        bits.writeCode(0b0011_0000, 8)
        let repeats = (count + 257) / 258
        for _ in 0..<repeats {
            bits.writeCode(0b1100_0101, 8)
            bits.writeCode(0, 5)
        }
        bits.writeCode(0, 7)
        let length = 1 + repeats * 258
        return gzipHeader + bits.data + littleEndian(crc32(Data(count: length))) + littleEndian(UInt32(length))
    }

    /// "the bar-tailed godwit\n" by `brotli`.
    static let brotli = Data(base64Encoded: "jwqAdGhlIGJhci10YWlsZWQgZ29kd2l0CgM=") ?? Data()
    /// The same by `zstd`.
    static let zstd = Data(base64Encoded: "KLUv/QRYsQAAdGhlIGJhci10YWlsZWQgZ29kd2l0CmXurTI=") ?? Data()

    /// 32,768 zeros as one frame of one repeated byte (RFC 8878 section 3.1.1): as much as a decoder gives at once.
    static let zstdOfZeros = Data([0x28, 0xB5, 0x2F, 0xFD, 0xA0, 0, 0x80, 0, 0, 0x03, 0, 0x04, 0])

    private static let gzipHeader = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])

    private static func littleEndian(_ value: UInt32) -> Data {
        Data((0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
    }

    private static let crcTable: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func crc32(_ data: Data) -> UInt32 {
        data.withUnsafeBytes { bytes in
            ~bytes.reduce(~0) { crcTable[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
        }
    }

    private static func adler32(_ data: Data) -> UInt32 {
        let (low, high) = data.reduce((UInt32(1), UInt32(0))) { sums, byte in
            let low = (sums.0 + UInt32(byte)) % 65_521
            return (low, (sums.1 + low) % 65_521)
        }
        return high << 16 | low
    }

    private struct BitWriter {
        private(set) var data = Data()
        private var used = 8

        /// Writes the lowest bits, the lowest first.
        mutating func write(_ value: Int, _ count: Int) {
            for index in 0..<count { writeBit(value >> index & 1) }
        }

        /// Writes a Huffman code, the highest bit first.
        mutating func writeCode(_ value: Int, _ count: Int) {
            for index in (0..<count).reversed() { writeBit(value >> index & 1) }
        }

        private mutating func writeBit(_ bit: Int) {
            if used == 8 {
                data.append(0)
                used = 0
            }
            data[data.count - 1] |= UInt8(bit << used)
            used += 1
        }
    }
}
