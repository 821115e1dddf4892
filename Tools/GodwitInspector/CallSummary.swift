package import GodwitCore

/// What the list of the page shows of a call.
package struct CallSummary: Codable, Sendable {
    /// The number of the call on the page.
    package var number: UInt64
    /// The program, with its process ID.
    package var program: String
    /// The call's number in the program.
    package var call: UInt64
    /// Changes with each event.
    package var revision: UInt64 = 0
    package var method = ""
    package var url = ""
    /// 0 without a response.
    package var status = 0
    package var type: String?
    /// Bytes of the response body; `nil` if unknown.
    package var size: Int64?
    /// In milliseconds since 1970.
    package var start: Double
    /// In milliseconds; `nil` while the call runs.
    package var duration: Double?
    package var error: String?
    /// `cache` or `shared`, if no request was needed.
    package var source: String?
    /// The number of requests that were sent.
    package var sent = 0
    package var redirects = 0
    /// The numbers of WebSocket messages and of chunks.
    package var messages = 0
    package var chunks = 0
    package var replayOf: UInt64?
    /// How many events of the call the page has dropped, as it had too many.
    package var droppedEvents = 0
    /// The end of each phase since the start, in milliseconds: DNS, TCP, TLS, first byte, body.
    package var bars: [Double]?
    private var lastSent: Double?

    /// Short in JSON: a page loads thousands of calls.
    private enum CodingKeys: String, CodingKey {
        case number = "n"
        case program = "p"
        case call = "c"
        case revision = "r"
        case method, url, status, type, size, start, duration, error, source, sent, redirects, messages, chunks
        case replayOf, bars, lastSent
        case droppedEvents = "d"
    }

    package init(number: UInt64, program: String, call: UInt64, start: Double) {
        self.number = number
        self.program = program
        self.call = call
        self.start = start
    }

    package mutating func take(_ event: TrafficEvent) {
        if let started = event.started {
            method = started.method
            url = started.url
            start = event.time
            replayOf = started.replayOf
        }
        if let request = event.sent {
            if sent == 0, method.isEmpty {
                method = request.method
                url = request.url
            }
            sent += 1
            lastSent = event.time
        }
        if let answer = event.answered { take(answer) }
        if let chunk = event.chunk {
            chunks += 1
            size = (size ?? 0) + Int64(chunk.size)
        }
        if let end = event.ended {
            size = end.size
            error = end.error ?? error
            duration = event.time - start
            if let metrics = end.metrics { take(metrics) }
        }
        if let message = event.message {
            messages += 1
            size = (size ?? 0) + Int64(message.size)
            duration = event.time - start
        }
        if let finish = event.finished { take(finish, at: event.time) }
        if let failure = event.failed, failure.exchange == nil {
            error = failure.error
            duration = duration ?? event.time - start
        }
    }

    private mutating func take(_ answer: TrafficEvent.Answer) {
        status = answer.status
        type = Self.type(answer.fields) ?? type
        size = answer.body?.size ?? size
        take(answer.metrics)
    }

    private mutating func take(_ finish: TrafficEvent.Finish, at time: Double) {
        status = finish.status
        redirects = finish.redirects
        type = Self.type(finish.fields) ?? type
        size = finish.body?.size ?? size
        duration = time - start
        if finish.source != "network" { source = finish.source }
    }

    private mutating func take(_ metrics: TrafficEvent.Metrics) {
        guard let first = metrics.firstByte else { return }
        let offset = max(0, (lastSent ?? start) - start)
        let tcp = metrics.connect ?? metrics.dns ?? 0
        let times = [metrics.dns ?? 0, tcp, metrics.tls ?? tcp, first, metrics.total ?? first]
        bars = ([0] + times).map { ((offset + $0) * 100).rounded() / 100 }
    }

    private static func type(_ fields: [[String]]) -> String? {
        let field = fields.first { $0.count == 2 && $0[0].lowercased() == "content-type" }
        return field.map { String($0[1].prefix { $0 != ";" }) }
    }
}
