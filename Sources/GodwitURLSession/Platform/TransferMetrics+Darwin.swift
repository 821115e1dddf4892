#if canImport(Security)
import GodwitCore

extension TransferMetrics {
    /// Converts the metrics of a task: its last transaction, because redirects are separate exchanges here.
    init(_ measured: URLSessionTaskMetrics) {
        self.init()
        let start = measured.taskInterval.start
        total = .seconds(measured.taskInterval.duration)
        guard let last = measured.transactionMetrics.last else { return }
        func time(_ date: Date?) -> Duration? { date.map { .seconds(max(0, $0.timeIntervalSince(start))) } }
        dns = time(last.domainLookupEndDate)
        connect = time(last.secureConnectionStartDate ?? last.connectEndDate)
        tls = time(last.secureConnectionEndDate)
        requestSent = time(last.requestStartDate)
        firstByte = time(last.responseStartDate)
        bytesSent = last.countOfRequestBodyBytesSent
        bytesReceived = last.countOfResponseBodyBytesReceived
        reusedConnection = last.isReusedConnection
        protocolVersion = Self.version(last.networkProtocolName)
        // A number on Apple's platforms, a text in the interfaces that this is checked against.
        localPort = last.localPort.flatMap { Int("\($0)") }
        remoteAddress = last.remoteAddress.map { address in last.remotePort.map { "\(address):\($0)" } ?? address }
    }

    /// The version for an ALPN name.
    private static func version(_ name: String?) -> HTTPVersion? {
        switch name {
        case "http/1.0": .http1_0
        case "http/1.1": .http1_1
        case "h2": .http2
        case "h3": .http3
        default: nil
        }
    }
}
#endif
