/// Finds the end of an object, array or string without checking what is inside: that is left to the decoder.
struct ElementScan: Sendable {
    /// Open objects and arrays.
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private let maximumDepth: Int

    init(maximumDepth: Int) {
        self.maximumDepth = maximumDepth
    }

    /// Moves past the element's last byte. Returns `false` if the chunk ends first.
    mutating func scan(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) throws(GrammarFault) -> Bool {
        while offset < bytes.count {
            if isInString {
                guard skipString(bytes, &offset) else { return false }
                if depth == 0 { return true }
            }
            offset = ByteScan.endOfScalars(in: bytes, from: offset)
            guard offset < bytes.count else { return false }
            let byte = bytes[offset]
            offset &+= 1
            if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte | 0x20 == UInt8(ascii: "{") {
                guard depth < maximumDepth else {
                    throw GrammarFault(expected: "less nesting", at: offset - 1, in: bytes)
                }
                depth &+= 1
            } else {
                depth &-= 1
                if depth == 0 { return true }
            }
        }
        return false
    }

    /// Moves past the closing quote. Returns `false` if the chunk ends first.
    private mutating func skipString(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> Bool {
        while offset < bytes.count {
            if isEscaped {
                isEscaped = false
                offset &+= 1
                continue
            }
            offset = ByteScan.endOfText(in: bytes, from: offset)
            guard offset < bytes.count else { return false }
            isEscaped = bytes[offset] == UInt8(ascii: "\\")
            offset &+= 1
            if !isEscaped {
                isInString = false
                return true
            }
        }
        return false
    }
}
