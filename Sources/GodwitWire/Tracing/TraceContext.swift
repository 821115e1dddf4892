/// Where a request stands in a distributed trace (W3C Trace Context, level 1).
///
/// ```swift
/// let trace = TraceContext(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
/// trace?.isSampled        // true
/// ```
public struct TraceContext: Sendable, Hashable {
    /// The trace: 32 hexadecimal digits in lower case, not all zero.
    public let traceID: String

    /// The span that a request was sent from: 16 hexadecimal digits in lower case, not all zero.
    public let spanID: String

    /// Whether the one who began the trace may have recorded it.
    public var isSampled: Bool

    /// What tracing systems keep beside it, as the `tracestate` field writes it; nil for nothing.
    public let state: String?

    /// Begins a trace.
    ///
    /// - Parameters:
    ///   - isSampled: Whether it is recorded.
    ///   - generator: Where ids come from.
    public init(isSampled: Bool = true, using generator: inout some RandomNumberGenerator) {
        self.init(
            traceID: Hexadecimal.encode(Self.nonZero(using: &generator), generator.next()),
            spanID: Hexadecimal.encode(Self.nonZero(using: &generator)), isSampled: isSampled, state: nil)
    }

    /// Reads the `traceparent` and `tracestate` fields; nil where the first is not valid (sections 3.2 and 3.3).
    ///
    /// A `tracestate` that is not valid is left out. Later versions are read as far as version 00 goes.
    ///
    /// - Parameters:
    ///   - traceparent: The value of the field, as it was received.
    ///   - tracestate: The value of the field beside it; nil where there is none.
    public init?(traceparent: String, tracestate: String? = nil) {
        guard let parent = TraceParent(traceparent) else { return nil }
        self.init(
            traceID: parent.traceID, spanID: parent.spanID, isSampled: parent.isSampled,
            state: tracestate.flatMap(TraceState.checked))
    }

    private init(traceID: String, spanID: String, isSampled: Bool, state: String?) {
        (self.traceID, self.spanID, self.isSampled, self.state) = (traceID, spanID, isSampled, state)
    }

    /// The same trace with a new span, as each request that goes out has.
    ///
    /// - Parameter generator: Where the span's 64 bits come from.
    public func newSpan(using generator: inout some RandomNumberGenerator) -> TraceContext {
        TraceContext(
            traceID: traceID, spanID: Hexadecimal.encode(Self.nonZero(using: &generator)), isSampled: isSampled,
            state: state)
    }

    /// The value of the `traceparent` field.
    public var traceparent: String {
        var text = ""
        text.reserveCapacity(55)
        text += "00-"
        text += traceID
        text += "-"
        text += spanID
        text += isSampled ? "-01" : "-00"
        return text
    }

    /// An id of zeros alone is not valid.
    private static func nonZero(using generator: inout some RandomNumberGenerator) -> UInt64 {
        while true {
            let number: UInt64 = generator.next()
            if number != 0 { return number }
        }
    }
}

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

/// The grammar of a `tracestate` field (section 3.3).
enum TraceState {
    private static let mostMembers = 32
    private static let longest = 512

    /// The value without blanks and empty members; nil where it is empty or not valid as a whole.
    static func checked(_ text: String) -> String? {
        let members = text.split(separator: ",", omittingEmptySubsequences: true).map(trimmed).filter { !$0.isEmpty }
        var keys: Set<Substring> = []
        for member in members {
            guard let equals = member.firstIndex(of: "="), isKey(member[..<equals]),
                isValue(member[member.index(after: equals)...]), keys.insert(member[..<equals]).inserted
            else { return nil }
        }
        let joined = members.joined(separator: ",")
        return members.isEmpty || members.count > mostMembers || joined.utf8.count > longest ? nil : joined
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return text[first...last]
    }

    /// `key` or `tenant@system`.
    private static func isKey(_ key: Substring) -> Bool {
        let parts = key.split(separator: "@", omittingEmptySubsequences: false).map { Array($0.utf8) }
        guard parts.count <= 2, parts.allSatisfy({ $0.allSatisfy(isKeyByte) }), let first = parts.first,
            let last = parts.last, let start = first.first, let systemStart = last.first
        else { return false }
        if parts.count == 1 { return isLowercase(start) && first.count <= 256 }
        return (isLowercase(start) || isDigit(start)) && first.count <= 241 && isLowercase(systemStart)
            && last.count <= 14
    }

    /// Printable ASCII without comma and equals sign.
    private static func isValue(_ value: Substring) -> Bool {
        let bytes = value.utf8
        return (1...256).contains(bytes.count)
            && bytes.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=") }
    }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        isLowercase(byte) || isDigit(byte) || "_-*/".utf8.contains(byte)
    }

    private static func isLowercase(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
