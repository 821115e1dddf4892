#if os(Linux)
import CBrotli
package import GodwitCore

/// Decodes what is compressed with a dictionary: `dcb` and `dcz` (RFC 9842 sections 4 and 5).
///
/// A header tells which dictionary that was. Only the offered one is used.
package final class DictionaryStage: DecodingStage {
    package enum Format {
        case brotli, zstd

        fileprivate var magic: [UInt8] {
            switch self {
            case .brotli: [0xFF, 0x44, 0x43, 0x42]
            // A frame that decoders without dictionaries skip.
            case .zstd: [0x5E, 0x2A, 0x4D, 0x18, 0x20, 0, 0, 0]
            }
        }
    }

    /// Whether the brotli library that is loaded has dictionaries, which 1.0 has not.
    package static let hasBrotli = godwit_brotli_has_dictionaries() != 0

    private let dictionary: CompressionDictionary
    private let format: Format
    /// The part of the header that has not arrived.
    private var missing: ArraySlice<UInt8>
    private var hasStarted = false
    private var hasBody = false
    private var inner: (any DecodingStage)?

    package init(_ format: Format, _ dictionary: CompressionDictionary) {
        self.format = format
        self.dictionary = dictionary
        missing = (format.magic + dictionary.digest)[...]
    }

    /// Even an empty body has bytes after the header.
    package var isComplete: Bool { !hasStarted || hasBody && inner?.isComplete == true }

    package var hasOutput: Bool { inner?.hasOutput ?? false }

    package func next(_ input: inout UnsafeRawBufferPointer, limit: Int) throws(DecodingFault) -> UnsafeRawBufferPointer
    {
        if !missing.isEmpty { try readHeader(&input) }
        guard missing.isEmpty else { return Self.nothing }
        guard let inner else {
            // The step ends here, as the next one may be slow.
            inner = try makeInner()
            return Self.nothing
        }
        hasBody = hasBody || !input.isEmpty
        return try inner.next(&input, limit: limit)
    }

    package func isSlow(before input: UnsafeRawBufferPointer) -> Bool { inner?.isSlow(before: input) ?? false }

    package func prepare(_ input: inout UnsafeRawBufferPointer) {
        hasBody = hasBody || !input.isEmpty
        inner?.prepare(&input)
    }

    private func readHeader(_ input: inout UnsafeRawBufferPointer) throws(DecodingFault) {
        hasStarted = true
        let count = min(missing.count, input.count)
        guard missing.starts(with: input.prefix(count)) else {
            dictionary.wasRefused()
            throw DecodingFault.otherDictionary
        }
        missing = missing.dropFirst(count)
        input.leaveLast(input.count - count)
    }

    private func makeInner() throws(DecodingFault) -> any DecodingStage {
        let bytes = DictionaryBytes(dictionary.content)
        switch format {
        case .brotli: return try BrotliStage(bytes)
        case .zstd: return ZstdStage(bytes)
        }
    }

    private static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}

/// A copy of a dictionary that stays where it is, for a C library that only keeps its address.
package final class DictionaryBytes {
    package let bytes: UnsafeRawBufferPointer

    package init(_ content: Data) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: content.count, alignment: 16)
        copy.copyBytes(from: content)
        bytes = UnsafeRawBufferPointer(copy)
    }

    deinit {
        bytes.deallocate()
    }
}
#endif
