import Godwit
import GodwitSupport

/// Draws the timing of an exchange, one bar for each phase:
///
/// ```text
/// GET http://127.0.0.1:8080/articles: 200, HTTP/1.1, 127.0.0.1:8080
///   dns       0.1 ms  |#                                       |
///   tcp       0.2 ms  |##                                      |
///   tls            -  |                                        |
///   wait      3.0 ms  | ##############################         |
///   body      1.0 ms  |                               #########|
///   total     4.3 ms  1,204 bytes received, 0 sent
/// ```
///
/// A reused connection has no bars for the first three phases; the first line says so.
struct Waterfall {
    static let barWidth = 40

    let exchange: Exchange

    /// The phases of an exchange in order.
    enum Phase: String, CaseIterable {
        case dns, tcp, tls, wait, body
    }

    /// The chart; without bars if nothing was measured.
    var text: String {
        guard let metrics = exchange.metrics else { return heading(nil) }
        let total = metrics.total ?? metrics.firstByte ?? .zero
        var start = Duration.zero
        var lines = heading(metrics)
        for phase in Phase.allCases where !(Self.isReused(metrics) && phase.isConnecting) {
            let end = phase.end(in: metrics)
            let range = end.map { start..<max(start, $0) }
            lines += Self.line(phase.rawValue, range.map { $0.upperBound - $0.lowerBound })
            lines += "|\(Self.bar(range, of: total))|\n"
            start = max(start, end ?? start)
        }
        return lines + Self.line("total", total)
            + "\(metrics.bytesReceived) bytes received, \(metrics.bytesSent) sent\n"
    }

    private func heading(_ metrics: TransferMetrics?) -> String {
        let facts = [
            exchange.head.map { "\($0.status)" } ?? "no response",
            metrics?.protocolVersion?.rawValue, metrics?.remoteAddress,
            metrics.map(Self.isReused) == true ? "connection reused" : nil,
        ]
        return "\(exchange.request): \(facts.compactMap(\.self).joined(separator: ", "))\n"
    }

    /// Without a sent request there was no connection to reuse.
    private static func isReused(_ metrics: TransferMetrics) -> Bool {
        metrics.reusedConnection && metrics.requestSent != nil
    }

    private static func line(_ name: String, _ duration: Duration?) -> String {
        let value = duration.map(milliseconds) ?? "-"
        return "  \(name.padded(to: 5)) \(String(repeating: " ", count: max(0, 11 - value.count)))\(value)  "
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let tenths = Int64((duration / .milliseconds(0.1)).rounded())
        return "\(tenths / 10).\(tenths % 10) ms"
    }

    /// A phase that took any time gets at least one mark, which shows the order.
    private static func bar(_ range: Range<Duration>?, of total: Duration) -> String {
        guard let range, !range.isEmpty, total > .zero else { return String(repeating: " ", count: barWidth) }
        let scale = Double(barWidth)
        let start = min(barWidth - 1, Int(range.lowerBound / total * scale))
        let end = min(barWidth, max(start + 1, Int((range.upperBound / total * scale).rounded())))
        return String(repeating: " ", count: start) + String(repeating: "#", count: end - start)
            + String(repeating: " ", count: barWidth - end)
    }
}

extension Waterfall.Phase {
    var isConnecting: Bool {
        switch self {
        case .dns, .tcp, .tls: true
        case .wait, .body: false
        }
    }

    /// The end of the phase, from the start of the exchange; `nil` if it did not happen.
    func end(in metrics: TransferMetrics) -> Duration? {
        switch self {
        case .dns: metrics.dns
        case .tcp: metrics.connect
        case .tls: metrics.tls
        case .wait: metrics.firstByte
        case .body: metrics.firstByte == nil ? nil : metrics.total
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
