extension HAR.Entry {
    /// Takes the response in, with what is known of its transfer so far.
    mutating func take(_ response: HAR.Response, _ metrics: TransferMetrics, after elapsed: Duration) {
        let (bodySize, httpVersion) = (self.response.bodySize, self.response.httpVersion)
        self.response = response
        (self.response.bodySize, self.response.httpVersion) = (bodySize, httpVersion)
        if metrics.firstByte != nil { take(metrics, received: nil) }
        guard !isMeasured else { return }
        time = HAR.Timings.milliseconds(elapsed)
        timings.wait = time
    }

    /// Takes in what a transfer cost. It may come before the response; for a streamed one it comes again at its end.
    ///
    /// - Parameter received: Bytes of content, content codings undone, where they were counted.
    mutating func take(_ metrics: TransferMetrics, received: Int64?) {
        request.httpVersion = metrics.protocolVersion?.rawValue ?? request.httpVersion
        response.httpVersion = request.httpVersion
        serverIPAddress = metrics.remoteAddress.map(Self.address)
        if let received {
            response.bodySize = metrics.bytesReceived
            if response.content.size < 0 { response.content.size = received }
        }
        guard metrics.firstByte != nil else { return }
        timings = HAR.Timings(metrics)
        time = timings.sum
        isMeasured = true
    }

    /// Takes an error in: no response, or none that is whole.
    mutating func take(_ error: NetworkError, after elapsed: Duration) {
        _error = error.kind.summary
        if !isMeasured {
            time = HAR.Timings.milliseconds(elapsed)
            timings.wait = time
        }
    }

    /// The address without its port.
    private static func address(_ text: String) -> String {
        guard let colon = text.lastIndex(of: ":") else { return text }
        let host = text[..<colon]
        return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
    }
}
