import GodwitSupport

/// The text of a JSON string, between its quotes.
struct StringText {
    let bytes: UnsafeBufferPointer<UInt8>
    let notes: TapeEntry.Notes

    /// The string; `nil` if it has an unpaired surrogate. The scanner has checked that it is UTF-8.
    @inline(__always)
    var string: String? {
        notes.contains(.hasEscapes) ? unescaped : Self.string(bytes)
    }

    /// The string of valid UTF-8, which isn't checked again where Swift has a function for that.
    @inline(__always)
    private static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return String(copying: UTF8Span(unchecked: bytes.span))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @inline(never)
    private var unescaped: String? {
        // An escape is never shorter than what it stands for.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { output in
            var writer = Writer(output: output)
            guard writer.unescape(bytes) else { return nil }
            return Self.string(UnsafeBufferPointer(rebasing: output[..<writer.count]))
        }
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
            guard let base = bytes.baseAddress, let target = output.baseAddress else { return true }
            var (place, ignored) = (0, false)
            while place < bytes.count {
                // The text up to the next backslash is copied at once: there are no quotes and control characters.
                let end = ByteScan.endOfPlainText(base, from: place, to: bytes.count, nonASCII: &ignored)
                (target + count).update(from: base + place, count: end &- place)
                count &+= end &- place
                place = end
                if place < bytes.count, !add(bytes, &place) { return false }
            }
            return true
        }

        /// Adds what the escape at `place` stands for. The scanner has checked that it is complete.
        private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> Bool {
            let escape = bytes[place &+ 1]
            place &+= 2
            switch escape {
            case UInt8(ascii: "b"): put(0x08)
            case UInt8(ascii: "f"): put(0x0C)
            case UInt8(ascii: "n"): put(0x0A)
            case UInt8(ascii: "r"): put(0x0D)
            case UInt8(ascii: "t"): put(0x09)
            case UInt8(ascii: "u"): return addScalar(bytes, &place)
            default: put(escape)
            }
            return true
        }

        private mutating func addScalar(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> Bool {
            var value = Self.codeUnit(bytes, place)
            place &+= 4
            if value & 0xFC00 == 0xD800 {
                guard place &+ 6 <= bytes.count, bytes[place] == UInt8(ascii: "\\"),
                    bytes[place &+ 1] == UInt8(ascii: "u")
                else { return false }
                let low = Self.codeUnit(bytes, place &+ 2)
                guard low & 0xFC00 == 0xDC00 else { return false }
                value = 0x10000 &+ ((value & 0x3FF) << 10) &+ (low & 0x3FF)
                place &+= 6
            }
            guard let scalar = Unicode.Scalar(value) else { return false }
            UTF8.encode(scalar)?.forEach { put($0) }
            return true
        }

        private static func codeUnit(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> UInt32 {
            (place..<place &+ 4).reduce(0) { $0 << 4 | UInt32(Hexadecimal.value(of: bytes[$1]) ?? 0) }
        }

        private mutating func put(_ byte: UInt8) {
            output[count] = byte
            count &+= 1
        }
    }
}
