import GodwitCore
import Testing

@Suite("T5 transfer metrics")
struct TransferMetricsTests {
    /// The points in time, each of which is kept by itself.
    private static let times: [any WritableKeyPath<TransferMetrics, Duration?> & Sendable] = [
        \.dns, \.connect, \.tls, \.requestSent, \.firstByte, \.total,
    ]

    @Test("T5 a time is kept to the nanosecond, and a missing one is nil", arguments: times.indices)
    func kept(index: Int) {
        var metrics = TransferMetrics()
        let time = Self.times[index]
        #expect(Self.times.allSatisfy { metrics[keyPath: $0] == nil })
        for duration: Duration in [.zero, .nanoseconds(1), .milliseconds(1500), .seconds(86_400 * 365)] {
            metrics[keyPath: time] = duration
            #expect(metrics[keyPath: time] == duration)
            #expect(Self.times.filter { metrics[keyPath: $0] != nil }.count == 1)
        }
        metrics[keyPath: time] = nil
        #expect(metrics == TransferMetrics())
    }

    @Test("T5 printed metrics have the names and values of their properties")
    func printed() {
        var metrics = TransferMetrics()
        metrics.total = .milliseconds(1500)
        metrics.bytesReceived = 42
        let text = "\(metrics)"
        #expect(text.hasPrefix("TransferMetrics(dns: nil, connect: nil, "))
        #expect(text.contains("total: Optional(1.5 seconds)"))
        #expect(text.contains("bytesReceived: 42"))
    }

    @Test("T5 a time beyond the range is clamped")
    func clamped() throws {
        var metrics = TransferMetrics()
        metrics.total = .seconds(Int64.max)
        #expect(try #require(metrics.total) > .seconds(86_400 * 365 * 200))
    }
}
