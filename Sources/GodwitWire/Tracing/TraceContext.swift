import GodwitSupport

/// The position of a request in a distributed trace (W3C Trace Context, level 1).
///
/// ```swift
/// let trace = TraceContext(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
/// trace?.isSampled        // true
/// ```
public struct TraceContext: Sendable, Hashable {
    /// The bits of the trace ID, most significant first.
    private let trace: SIMD2<UInt64>
    /// The bits of the span ID.
    package let span: UInt64

    /// The bits of the trace ID, most significant first.
    package var traceWords: [UInt64] { [trace[0], trace[1]] }

    /// The trace ID: 32 lowercase hexadecimal digits, not all zero.
    public var traceID: String { Hexadecimal.encode(trace[0], trace[1]) }

    /// The ID of the span that sent the request: 16 lowercase hexadecimal digits, not all zero.
    public var spanID: String { Hexadecimal.encode(span) }

    /// Whether the trace may be recorded.
    public var isSampled: Bool

    /// Vendor-specific data, as in the `tracestate` field; `nil` if missing.
    public let state: String?

    /// Starts a trace with random IDs.
    ///
    /// - Parameters:
    ///   - isSampled: Whether the trace is recorded.
    ///   - generator: The source of random IDs.
    public init(isSampled: Bool = true, using generator: inout some RandomNumberGenerator) {
        self.init(
            SIMD2(Self.nonZero(using: &generator), generator.next()), Self.nonZero(using: &generator),
            isSampled: isSampled, state: nil)
    }

    /// Parses the `traceparent` and `tracestate` fields; `nil` if the first is invalid (sections 3.2 and 3.3).
    ///
    /// An invalid `tracestate` is ignored. Later versions are read like version 00.
    ///
    /// - Parameter tracestate: The value of the second field; `nil` if missing.
    public init?(traceparent: String, tracestate: String? = nil) {
        // Blanks around a field's value aren't part of it, and some frameworks pass them on.
        guard let parent = TraceParent(traceparent.trimmingBlanks) else { return nil }
        self.init(
            parent.trace, parent.span, isSampled: parent.isSampled, state: tracestate.flatMap(TraceState.checked))
    }

    private init(_ trace: SIMD2<UInt64>, _ span: UInt64, isSampled: Bool, state: String?) {
        self.trace = trace
        self.span = span
        self.isSampled = isSampled
        self.state = state
    }

    /// Returns this trace with a new span, for an outgoing request.
    public func newSpan(using generator: inout some RandomNumberGenerator) -> TraceContext {
        TraceContext(trace, Self.nonZero(using: &generator), isSampled: isSampled, state: state)
    }

    /// The value of the `traceparent` field.
    public var traceparent: String {
        var text = TextWriter(capacity: 55)
        text.write("00-")
        text.write(traceID)
        text.write("-")
        text.write(spanID)
        text.write(isSampled ? "-01" : "-00")
        return text.text
    }

    /// An ID of only zeros is invalid.
    private static func nonZero(using generator: inout some RandomNumberGenerator) -> UInt64 {
        while true {
            let number: UInt64 = generator.next()
            if number != 0 { return number }
        }
    }
}

/// The parts of a `traceparent` field: `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01` (section 3.2).
struct TraceParent {
    let trace: SIMD2<UInt64>
    let span: UInt64
    let isSampled: Bool

    init?(_ text: String) {
        guard let parts = text.withBytes(Self.init) else { return nil }
        self = parts
    }

    private init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        let dash = UInt8(ascii: "-")
        guard bytes.count >= 55, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash,
            let version = Self.number(bytes[0..<2]), let high = Self.number(bytes[3..<19]),
            let low = Self.number(bytes[19..<35]), let span = Self.number(bytes[36..<52]),
            let flags = Self.number(bytes[53..<55])
        else { return nil }
        guard version != 0xFF, high | low != 0, span != 0 else { return nil }
        // Only a later version may be longer; a dash must follow.
        if bytes.count > 55, version == 0 || bytes[55] != dash { return nil }
        trace = SIMD2(high, low)
        self.span = span
        isSampled = flags & 1 == 1
    }

    /// The number that lowercase hexadecimal digits write; `nil` for other text.
    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64? {
        var number: UInt64 = 0
        for byte in digits {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }
}

/// The grammar of a `tracestate` field (section 3.3).
enum TraceState {
    private static let mostMembers = 32
    private static let longest = 512

    /// The value without blanks and empty members; `nil` if it is empty or invalid.
    static func checked(_ text: String) -> String? {
        let members = text.split(separator: ",", omittingEmptySubsequences: true).map(\.trimmingBlanks).filter {
            !$0.isEmpty
        }
        var keys: Set<Substring> = []
        for member in members {
            guard let equals = member.firstIndex(of: "="), isKey(member[..<equals]),
                isValue(member[member.index(after: equals)...]), keys.insert(member[..<equals]).inserted
            else { return nil }
        }
        let joined = members.joined(separator: ",")
        return members.isEmpty || members.count > mostMembers || joined.utf8.count > longest ? nil : joined
    }

    /// `key` or `tenant@system`.
    private static func isKey(_ key: Substring) -> Bool {
        let parts = key.split(separator: "@", omittingEmptySubsequences: false).map { Array($0.utf8) }
        guard parts.count <= 2, parts.allSatisfy({ $0.allSatisfy(isKeyByte) }), let first = parts.first,
            let last = parts.last, let start = first.first, let systemStart = last.first
        else { return false }
        if parts.count == 1 { return isLowercase(start) && first.count <= 256 }
        return (isLowercase(start) || start.isDigit) && first.count <= 241 && isLowercase(systemStart)
            && last.count <= 14
    }

    /// Whether the value is printable ASCII without commas and equals signs.
    private static func isValue(_ value: Substring) -> Bool {
        let bytes = value.utf8
        return (1...256).contains(bytes.count)
            && bytes.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=") }
    }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        isLowercase(byte) || byte.isDigit || "_-*/".utf8.contains(byte)
    }

    private static func isLowercase(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}
