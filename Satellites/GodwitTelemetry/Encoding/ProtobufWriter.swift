import GodwitCore

/// Writes messages in the encoding of Protocol Buffers.
struct ProtobufWriter: MessageWriter {
    /// How a field's value is delimited.
    private enum WireType: UInt64 {
        case varint = 0
        case eightBytes = 1
        case length = 2
        case fourBytes = 5
    }

    static var mediaType: MediaType { MediaType("application/x-protobuf") ?? .octetStream }

    private(set) var bytes: [UInt8] = []

    mutating func string(_ number: Int, _ name: StaticString, _ value: String) {
        tag(number, .length)
        varint(UInt64(value.utf8.count))
        var value = value
        value.withUTF8 { bytes.append(contentsOf: $0) }
    }

    mutating func bool(_ number: Int, _ name: StaticString, _ value: Bool) {
        tag(number, .varint)
        varint(value ? 1 : 0)
    }

    mutating func enumeration(_ number: Int, _ name: StaticString, _ value: UInt32) {
        tag(number, .varint)
        varint(UInt64(value))
    }

    mutating func int64(_ number: Int, _ name: StaticString, _ value: Int64) {
        tag(number, .varint)
        varint(UInt64(bitPattern: value))
    }

    mutating func fixed32(_ number: Int, _ name: StaticString, _ value: UInt32) {
        tag(number, .fourBytes)
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }

    mutating func fixed64(_ number: Int, _ name: StaticString, _ value: UInt64) {
        tag(number, .eightBytes)
        append(value)
    }

    mutating func sfixed64(_ number: Int, _ name: StaticString, _ value: Int64) {
        fixed64(number, name, UInt64(bitPattern: value))
    }

    mutating func double(_ number: Int, _ name: StaticString, _ value: Double) {
        fixed64(number, name, value.bitPattern)
    }

    mutating func bytes(_ number: Int, _ name: StaticString, words: [UInt64]) {
        tag(number, .length)
        varint(UInt64(words.count * 8))
        for word in words { append(word.byteSwapped) }
    }

    mutating func fixed64(_ number: Int, _ name: StaticString, _ values: [UInt64]) {
        tag(number, .length)
        varint(UInt64(values.count * 8))
        for value in values { append(value) }
    }

    mutating func double(_ number: Int, _ name: StaticString, _ values: [Double]) {
        fixed64(number, name, values.map(\.bitPattern))
    }

    mutating func message(_ number: Int, _ name: StaticString, _ write: (inout Self) -> Void) {
        tag(number, .length)
        // The length is known only afterwards. Most messages are short and leave one byte for it; to move a longer one costs
        // less than a buffer for each.
        bytes.append(0)
        let start = bytes.count
        write(&self)
        let length = bytes.count - start
        if length < 0x80 {
            bytes[start - 1] = UInt8(truncatingIfNeeded: length)
        } else {
            bytes.replaceSubrange((start - 1)..<start, with: Self.varint(UInt64(length)))
        }
    }

    mutating func messages<Element>(
        _ number: Int, _ name: StaticString, _ elements: some Sequence<Element>, _ write: (inout Self, Element) -> Void
    ) {
        for element in elements { message(number, name) { write(&$0, element) } }
    }

    private mutating func tag(_ number: Int, _ type: WireType) {
        varint(UInt64(number) << 3 | type.rawValue)
    }

    private mutating func append(_ value: UInt64) {
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.varint(value)
        return writer.bytes
    }
}
