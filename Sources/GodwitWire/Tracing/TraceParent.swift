/// The parts of a `traceparent` field: `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01` (section 3.2).
struct TraceParent {
    private static let length = 55

    let traceID: String
    let spanID: String
    let isSampled: Bool

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        let dash = UInt8(ascii: "-")
        guard bytes.count >= Self.length, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash,
            let version = Self.hex(bytes[..<2]), let trace = Self.hex(bytes[3..<35]),
            let span = Self.hex(bytes[36..<52]), let flags = Self.hex(bytes[53..<Self.length]),
            let bits = UInt8(flags, radix: 16)
        else { return nil }
        guard version != "ff", trace.contains(where: { $0 != "0" }), span.contains(where: { $0 != "0" }) else {
            return nil
        }
        // Only a later version may be longer, and then goes on with a dash.
        if bytes.count > Self.length, version == "00" || bytes[Self.length] != dash { return nil }
        (traceID, spanID, isSampled) = (trace, span, bits & 1 == 1)
    }

    /// Digits in lower case; nil for anything else.
    private static func hex(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
