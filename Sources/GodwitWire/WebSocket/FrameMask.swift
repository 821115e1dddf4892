/// Masking (RFC 6455 section 5.3): each byte is combined with one of four, in turn. Doing it twice undoes it.
package enum FrameMask {
    /// Masks bytes on their way to another buffer, eight at a time.
    ///
    /// - Parameters:
    ///   - key: The key, its first byte the lowest.
    ///   - offset: How many bytes of the same content went before.
    ///   - output: Where they go: as long as the input, and it may be the same memory.
    package static func copy(
        _ input: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer, key: UInt32, offset: Int = 0
    ) {
        guard let from = input.baseAddress, let to = output.baseAddress, output.count >= input.count else { return }
        let turned = rotated(key, by: offset)
        let wide = (UInt64(turned) << 32 | UInt64(turned)).littleEndian
        var index = 0
        while index + 8 <= input.count {
            let word = from.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ wide
            to.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < input.count {
            output[index] = input[index] ^ UInt8(truncatingIfNeeded: turned >> (UInt32(index & 3) * 8))
            index += 1
        }
    }

    /// The key as it looks from a place in the content.
    private static func rotated(_ key: UInt32, by offset: Int) -> UInt32 {
        let shift = UInt32(offset & 3) * 8
        return shift == 0 ? key : key >> shift | key << (32 - shift)
    }
}
