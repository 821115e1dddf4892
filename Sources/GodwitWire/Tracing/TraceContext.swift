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
