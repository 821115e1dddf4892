/// What a line of an event stream sets, and where in the line its value begins.
struct EventField {
    enum Name {
        case data, event, id, retry
    }

    let name: Name
    let valueStart: Int

    /// Reads a line without its ending; nil for a comment and for a field that nobody knows.
    @inline(__always)
    init?(_ line: UnsafeRawBufferPointer) {
        guard let (name, colon) = Self.name(line) else { return nil }
        self.name = name
        let hasSpace = line.count > colon + 1 && line[colon + 1] == UInt8(ascii: " ")
        valueStart = min(line.count, colon + (hasSpace ? 2 : 1))
    }

    /// A name is what stands before the first colon, or the whole line; none of those known has a colon in it.
    private static func name(_ line: UnsafeRawBufferPointer) -> (Name, length: Int)? {
        switch line.first {
        case UInt8(ascii: "d"): isNamed(line, "data") ? (.data, 4) : nil
        case UInt8(ascii: "e"): isNamed(line, "event") ? (.event, 5) : nil
        case UInt8(ascii: "i"): isNamed(line, "id") ? (.id, 2) : nil
        case UInt8(ascii: "r"): isNamed(line, "retry") ? (.retry, 5) : nil
        default: nil
        }
    }

    @inline(__always)
    private static func isNamed(_ line: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
        let length = name.utf8CodeUnitCount
        guard line.count >= length else { return false }
        for index in 1..<length where line[index] != name.utf8Start[index] { return false }
        return line.count == length || line[length] == UInt8(ascii: ":")
    }
}
