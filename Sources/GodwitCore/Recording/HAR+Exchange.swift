extension HAR.Entry {
    /// Adds a step that needs no text of the request.
    mutating func take(_ step: ObservedStep) {
        switch step {
        case .response: break
        case .metrics(let metrics, let received): take(metrics, received: received)
        case .body(let content): response.content = content
        case .error(let message, let time): take(error: message, after: time)
        }
    }

    /// Adds the response, with the metrics so far.
    mutating func take(_ response: HAR.Response, _ metrics: TransferMetrics, after elapsed: Duration) {
        let (bodySize, httpVersion) = (self.response.bodySize, self.response.httpVersion)
        self.response = response
        self.response.bodySize = bodySize
        self.response.httpVersion = httpVersion
        if metrics.firstByte != nil { take(metrics, received: nil) }
        guard !isMeasured else { return }
        time = HAR.Timings.milliseconds(elapsed)
        timings.wait = time
    }

    /// Adds the metrics of a transfer, which can arrive before the response, and again at the end of a streamed one.
    ///
    /// - Parameter received: The number of bytes of the decoded body, if counted.
    private mutating func take(_ metrics: TransferMetrics, received: Int64?) {
        request.httpVersion = metrics.protocolVersion?.rawValue ?? request.httpVersion
        response.httpVersion = request.httpVersion
        serverIPAddress = metrics.remoteAddress.map(Self.address)
        connection = metrics.localPort.map { String($0) }
        if let received {
            response.bodySize = metrics.bytesReceived
            if response.content.size < 0 { response.content.size = received }
        }
        guard metrics.firstByte != nil else { return }
        timings = HAR.Timings(metrics)
        time = timings.sum
        isMeasured = true
    }

    /// Adds an error, without a complete response.
    ///
    /// - Parameter message: The error without secrets.
    private mutating func take(error message: String, after elapsed: Duration) {
        _error = message
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
    /// The consecutive phases of a transfer, whose sum is its time.
    ///
    /// In HAR, `connect` includes the TLS handshake, which is also listed as `ssl`.
    init(_ metrics: TransferMetrics) {
        var last = Duration.zero
        /// The time since the previous phase; `nil` if this one didn't happen.
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
        // On a reused connection, the time before sending is the wait for that connection.
        let beforeSending = phase(until: metrics.requestSent)
        if metrics.reusedConnection {
            blocked = Self.milliseconds(last)
            dns = -1
            connect = -1
            ssl = -1
        } else {
            blocked = beforeSending ?? -1
        }
        // The end of sending is not measured: it is part of the wait.
        wait = phase(until: metrics.firstByte) ?? 0
        receive = phase(until: metrics.total) ?? 0
    }

    /// The total time of an entry, as HAR defines it.
    var sum: Double {
        [blocked, dns, connect, send, wait, receive].filter { $0 > 0 }.reduce(0, +)
    }

    /// Rounded to microseconds.
    static func milliseconds(_ duration: Duration) -> Double {
        (duration / .microseconds(1)).rounded() / 1000
    }
}
