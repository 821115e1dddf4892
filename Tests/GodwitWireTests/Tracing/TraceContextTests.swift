import GodwitWire
import Testing

@Suite("M3 W3C trace context")
struct TraceContextTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"
    private static let parent = "00-\(trace)-\(span)-01"

    @Test("M3 a valid traceparent is read and written again")
    func reading() throws {
        let context = try #require(TraceContext(traceparent: Self.parent))
        #expect(context.traceID == Self.trace && context.spanID == Self.span && context.isSampled)
        #expect(context.traceparent == Self.parent)
        #expect(TraceContext(traceparent: "00-\(Self.trace)-\(Self.span)-00")?.isSampled == false)
        // Flags that nobody knows are not passed on.
        #expect(TraceContext(traceparent: "00-\(Self.trace)-\(Self.span)-ff")?.traceparent == Self.parent)
    }

    @Test(
        "M3 a later version is read as far as this one goes",
        arguments: ["cc-\(trace)-\(span)-01", "cc-\(trace)-\(span)-01-what-comes", "01-\(trace)-\(span)-01-"])
    func laterVersion(text: String) {
        #expect(TraceContext(traceparent: text)?.traceparent == Self.parent)
    }

    @Test(
        "M3 blanks around a traceparent aren't part of it", arguments: [" \(parent)", "\(parent)\t ", "\t\(parent) "])
    func blanks(text: String) {
        #expect(TraceContext(traceparent: text)?.traceparent == Self.parent)
    }

    @Test(
        "M3 what is not valid is refused",
        arguments: [
            "", "00", "00-\(trace)-\(span)", "00-\(trace)-\(span)-", "00-\(trace)-\(span)-1", "00-\(trace)-\(span)-01-",
            "00-\(trace)-\(span)-01-x", "ff-\(trace)-\(span)-01", "cc-\(trace)-\(span)-01x", "0-\(trace)-\(span)-01",
            "00-00000000000000000000000000000000-\(span)-01", "00-\(trace)-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-\(span)-01", "00-\(trace)-\(span)-0G", "0X-\(trace)-\(span)-01",
            "00_\(trace)_\(span)_01", "\n00-\(trace)-\(span)-01", "00-\(trace)-\(span)- 01", " ", "\u{A0}\(parent)",
            "00-\(trace)é\(span)-01",
        ])
    func invalid(text: String) {
        #expect(TraceContext(traceparent: text) == nil)
    }

    @Test(
        "M3 tracestate is kept where it is valid",
        arguments: [
            ("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"),
            (" a=1 ,\t, b=2", "a=1,b=2"), ("1a@sys=x y", "1a@sys=x y"), ("a-_*/9=!~", "a-_*/9=!~"), ("", nil),
            (",", nil),
            ("a", nil), ("A=1", nil), ("1a=1", nil), ("a=", nil), ("a=b=c", nil), ("a=1,a=2", nil), ("=1", nil),
            ("a@b@c=1", nil), ("a@1=1", nil), ("a@=1", nil), ("a=é", nil), ("a=\u{7F}", nil),
            (String(repeating: "k", count: 256) + "=1", String(repeating: "k", count: 256) + "=1"),
            (String(repeating: "k", count: 257) + "=1", nil), ("t@\(String(repeating: "s", count: 15))=1", nil),
            ("a=" + String(repeating: "v", count: 257), nil),
            ((0..<32).map { "k\($0)=1" }.joined(separator: ","), (0..<32).map { "k\($0)=1" }.joined(separator: ",")),
            ((0..<33).map { "k\($0)=1" }.joined(separator: ","), nil),
        ] as [(String, String?)])
    func state(text: String, kept: String?) {
        #expect(TraceContext(traceparent: Self.parent, tracestate: text)?.state == kept)
        // The trace itself goes on either way.
        #expect(TraceContext(traceparent: Self.parent, tracestate: text)?.traceID == Self.trace)
    }

    @Test("M3 a new trace has ids that are not zero, and a new span keeps the trace")
    func beginning() throws {
        var generator = Zeros()
        let context = TraceContext(isSampled: false, using: &generator)
        #expect(TraceContext(traceparent: context.traceparent) == context)
        let parent = try #require(TraceContext(traceparent: Self.parent, tracestate: "a=1"))
        let next = parent.newSpan(using: &generator)
        #expect(next.traceID == Self.trace && next.state == "a=1" && next.isSampled)
        #expect(next.spanID != Self.span && next.spanID.count == 16)
    }

    /// The worst that a generator can give.
    private struct Zeros: RandomNumberGenerator {
        var count = 0

        mutating func next() -> UInt64 {
            count += 1
            return count % 3 == 0 ? 1 << 63 : 0
        }
    }
}
