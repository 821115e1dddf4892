#if os(Linux)
import GodwitBackground

/// How deep a line's arrays and objects are nested. A decoder goes down with them, on a small stack.
enum NestingDepth {
    private static let limit = 16

    /// Whether no line of ours would be deeper.
    static func isModest(_ line: Data) -> Bool {
        var (depth, isText, isEscaped) = (0, false, false)
        for byte in line {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isText
            } else if byte == UInt8(ascii: "\"") {
                isText.toggle()
            } else if !isText, byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
                depth += 1
                if depth > limit { return false }
            } else if !isText, byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
                depth -= 1
            }
        }
        return true
    }
}
#endif
