/// The text of a JSON string, between its quotes.
struct StringText {
    let bytes: UnsafeBufferPointer<UInt8>
    let notes: TapeEntry.Notes

    /// The string; `nil` if it has an unpaired surrogate. The scanner has checked that it is UTF-8.
    @inline(__always)
    var string: String? {
        notes.contains(.hasEscapes) ? unescaped : String(decoding: bytes, as: UTF8.self)
    }

    @inline(never)
    private var unescaped: String? {
        var isValid = true
        // An escape is never shorter than what it stands for.
        let text = String(unsafeUninitializedCapacity: bytes.count) { output in
            var writer = Writer(output: output)
            isValid = writer.unescape(bytes)
            return writer.count
        }
        return isValid ? text : nil
    }

    /// Whether the string consists of these bytes, without making it.
    @inline(__always)
    func equals(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        if notes.contains(.hasEscapes) { return equalsUnescaped(other) }
        guard bytes.count == other.count else { return false }
        return ByteScan.equals(bytes, other)
    }

    @inline(never)
    private func equalsUnescaped(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard other.count <= bytes.count, let text = string else { return false }
        return text.utf8.elementsEqual(other)
    }

    private struct Writer {
        let output: UnsafeMutableBufferPointer<UInt8>
        var count = 0

        mutating func unescape(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            var rest = bytes[...]
            while let byte = rest.popFirst() {
                if byte != UInt8(ascii: "\\") {
                    put(byte)
                } else {
                    guard let escape = rest.popFirst(), add(escape, &rest) else { return false }
                }
            }
            return true
        }

        private mutating func add(_ escape: UInt8, _ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
            switch escape {
            case UInt8(ascii: "b"): put(0x08)
            case UInt8(ascii: "f"): put(0x0C)
            case UInt8(ascii: "n"): put(0x0A)
            case UInt8(ascii: "r"): put(0x0D)
            case UInt8(ascii: "t"): put(0x09)
            case UInt8(ascii: "u"): return addScalar(&rest)
            default: put(escape)
            }
            return true
        }

        private mutating func addScalar(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
            guard var value = Self.codeUnit(&rest) else { return false }
            if value & 0xFC00 == 0xD800 {
                guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"),
                    let low = Self.codeUnit(&rest), low & 0xFC00 == 0xDC00
                else { return false }
                value = 0x10000 &+ ((value & 0x3FF) << 10) &+ (low & 0x3FF)
            }
            guard let scalar = Unicode.Scalar(value) else { return false }
            UTF8.encode(scalar)?.forEach { put($0) }
            return true
        }

        private static func codeUnit(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> UInt32? {
            var value: UInt32 = 0
            for _ in 0..<4 {
                guard let digit = rest.popFirst().flatMap(hexadecimalValue) else { return nil }
                value = value << 4 | UInt32(digit)
            }
            return value
        }

        private mutating func put(_ byte: UInt8) {
            output[count] = byte
            count &+= 1
        }
    }
}
