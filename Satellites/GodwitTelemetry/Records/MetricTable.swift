import GodwitCore

/// What requests are counted by: everything with few values.
struct RequestSeries: Sendable, Hashable {
    /// A known method, or `_OTHER`: unknown ones share a series.
    let method: String
    let origin: Origin
    let template: String?
    var status: Int?
    var error: String?
    var version: HTTPVersion?

    var attributes: [Attribute] {
        var all = [
            Attribute("http.request.method", method),
            Attribute("server.address", origin.address), Attribute("server.port", origin.port),
            Attribute("url.scheme", origin.scheme.rawValue),
        ]
        if let template { all.append(Attribute("url.template", template)) }
        if let status { all.append(Attribute("http.response.status_code", status)) }
        if let error { all.append(Attribute("error.type", error)) }
        if let version { all.append(Attribute("network.protocol.version", version.number)) }
        return all
    }
}

/// What requests in progress are counted by.
struct ActiveSeries: Sendable, Hashable {
    let method: String
    let origin: Origin

    var attributes: [Attribute] {
        [
            Attribute("http.request.method", method), Attribute("server.address", origin.address),
            Attribute("server.port", origin.port), Attribute("url.scheme", origin.scheme.rawValue),
        ]
    }
}

/// The sums and distributions since the telemetry was created. Its size is bounded by the limit of series.
struct MetricTable: Sendable {
    struct Request: Sendable {
        var duration = Histogram(Histogram.durations)
        var sent = Histogram(Histogram.sizes)
        var received = Histogram(Histogram.sizes)
    }

    /// Where calls got their response from: `network`, `cache`, `stale_if_error`, or `none`.
    private(set) var calls: [String: Int64] = [:]
    var activeCalls: Int64 = 0
    private(set) var requests = SeriesTable<RequestSeries, Request>()
    private(set) var active = SeriesTable<ActiveSeries, Int64>()

    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    var isEmpty: Bool { calls.isEmpty && active.rows.isEmpty && activeCalls == 0 }

    mutating func endCall(_ source: String) {
        activeCalls -= 1
        calls[source, default: 0] += 1
    }

    /// Counts a request. Returns its row, for the end.
    mutating func startRequest(_ series: ActiveSeries) -> Int {
        let row = active.row(of: series, limit: limit, else: 0)
        active.rows[row].value += 1
        return row
    }

    mutating func endRequest(_ row: Int, _ series: RequestSeries, _ seconds: Double, _ outcome: Outcome) {
        if active.rows.indices.contains(row) { active.rows[row].value -= 1 }
        let row = requests.row(of: series, limit: limit, else: Request())
        requests.rows[row].value.duration.record(seconds)
        if let bytes = outcome.sentBytes, bytes > 0 { requests.rows[row].value.sent.record(Double(bytes)) }
        if let bytes = outcome.receivedBytes { requests.rows[row].value.received.record(Double(bytes)) }
    }
}

/// Values by series, up to a limit. All series after it share a row without a series.
struct SeriesTable<Series: Hashable & Sendable, Value: Sendable>: Sendable {
    var rows: [(series: Series?, value: Value)] = []
    private var index: [Series: Int] = [:]
    private var overflow: Int?

    mutating func row(of series: Series, limit: Int, else empty: @autoclosure () -> Value) -> Int {
        if let row = index[series] { return row }
        if index.count >= limit {
            if let overflow { return overflow }
            overflow = rows.count
            rows.append((nil, empty()))
            return rows.count - 1
        }
        index[series] = rows.count
        rows.append((series, empty()))
        return rows.count - 1
    }
}
