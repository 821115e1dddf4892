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

extension HAR.Timings {
    /// The phases of a transfer, one after the other, whose sum is its time.
    ///
    /// HAR counts the TLS handshake as part of `connect` and tells it again as `ssl`.
    init(_ metrics: TransferMetrics) {
        var last = Duration.zero
        /// The time since the phase before; nil where this one did not happen.
        func phase(until end: Duration?) -> Double? {
            guard let end else { return nil }
            defer { last = max(last, end) }
            return Self.milliseconds(max(.zero, end - last))
        }
        dns = phase(until: metrics.dns) ?? -1
        let tcp = phase(until: metrics.connect)
        let tls = phase(until: metrics.tls)
        connect = tcp.map { $0 + (tls ?? 0) } ?? tls ?? -1
        ssl = tls ?? -1
        // Until the request goes out over a connection that was there already, it waits for that connection.
        let beforeSending = phase(until: metrics.requestSent)
        if metrics.reusedConnection {
            (blocked, dns, connect, ssl) = (Self.milliseconds(last), -1, -1, -1)
        } else {
            blocked = beforeSending ?? -1
        }
        // When the request has been sent as a whole is not measured: it is part of the wait.
        wait = phase(until: metrics.firstByte) ?? 0
        receive = phase(until: metrics.total) ?? 0
    }

    /// The times that HAR adds up to an entry's.
    var sum: Double {
        [blocked, dns, connect, send, wait, receive].filter { $0 > 0 }.reduce(0, +)
    }

    /// To a thousandth, which is as far as clocks are worth reading.
    static func milliseconds(_ duration: Duration) -> Double {
        (duration / .microseconds(1)).rounded() / 1000
    }
}
