import Godwit

/// An image with a palette, written as PNG without compression (RFC 2083).
nonisolated struct PNG {
    let width: Int
    let height: Int
    /// At most 256 colors.
    let palette: [(UInt8, UInt8, UInt8)]
    /// The color of each pixel, row by row.
    let pixels: [UInt8]

    var data: Data {
        let size = Self.bytes(UInt32(width)) + Self.bytes(UInt32(height))
        var data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        data += Self.chunk("IHDR", size + [8, 3, 0, 0, 0])
        data += Self.chunk("PLTE", palette.flatMap { [$0.0, $0.1, $0.2] })
        data += Self.chunk("IDAT", Self.stored(rows))
        data += Self.chunk("IEND", [])
        return data
    }

    /// The rows, each after the number of its filter.
    private var rows: [UInt8] {
        (0..<height).flatMap { [0] + pixels[$0 * width..<($0 + 1) * width] }
    }

    /// A zlib stream of stored blocks (RFC 1950, RFC 1951).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let count = UInt16(block.count)
            stream += [rest.isEmpty ? 1 : 0, UInt8(truncatingIfNeeded: count), UInt8(count >> 8)]
            stream += [UInt8(truncatingIfNeeded: ~count), UInt8(~count >> 8)] + block
        } while !rest.isEmpty
        return stream + Self.bytes(adler32(bytes))
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return Self.bytes(UInt32(content.count)) + body + Self.bytes(crc32(body))
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return b << 16 | a
    }

    private static let crcTable: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { crcTable[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
