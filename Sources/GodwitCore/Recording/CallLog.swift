import GodwitSupport
import Synchronization

/// Logs the outcome of a call if the messages of its requests, from ``RequestLog``, don't show it: after several
/// requests, or after none. The outermost middleware of a client that logs fields or bodies.
struct CallLog: Middleware {
    private let log: LogWriter
    private let line: LogText

    init(_ options: LogOptions) {
        log = LogWriter(options)
        var basic = options
        basic.level = .basic
        line = LogText(basic)
    }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let record = LogRecord(call.request)
        var logged = call
        logged.request.options[LogRecord.self] = record
        let start = log.now
        do throws(NetworkError) {
            let response = try await next(logged)
            if let note = Self.note(on: response, record) {
                // The fields of a response without a request have not been logged yet.
                let text = (record.shown.requests == 0 ? log.text : line).adding(call)
                let message = text.message(
                    response, text.redirectedLine(response.request), after: log.now - start, note,
                    suffix: LogText.redirects(before: response))
                log.write("<--", "#\(call.id)", message)
            }
            return response
        } catch {
            let (requests, latest) = record.shown
            if requests != 1 || latest != .failure {
                let line = line.adding(call)
                let name = line.redirectedLine(error.request ?? call.request)
                let note = requests > 0 ? ", \(requests) requests" : ""
                log.write("<--", "#\(call.id)", line.message(error, name, after: log.now - start) + note)
            }
            throw error
        }
    }

    /// How the response differs from that of the latest request; `nil` if it doesn't.
    private static func note(on response: HTTPResponse, _ record: LogRecord) -> String? {
        let (requests, latest) = record.shown
        if response.metrics.source == .cache { return "from the cache" }
        if requests == 0 { return "without a request" }
        if requests > 1 { return "\(requests) requests" }
        return latest == .status(response.head.status.code) ? nil : "1 request"
    }
}

/// Logs each request that is sent to the transport, with the fields that the transport adds, and its outcome.
struct RequestLog: ObservingMiddleware {
    private let log: LogWriter

    init(_ options: LogOptions) {
        log = LogWriter(options)
    }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let record = call.request.options[LogRecord.self]
        let number = record?.nextNumber() ?? 1
        let name = number == 1 ? "#\(call.id)" : "#\(call.id).\(number)"
        let text = log.text.adding(call)
        let line = call.redirectCount > 0 ? text.redirectedLine(call.request) : text.line(call.request)
        let fields = call.request.fields.joined(by: next.fieldsAddedByTransport(to: call.request))
        let isEncoded = call.request.fields.contains(.contentEncoding)
        let content = isEncoded ? record?.content : nil
        let request = text.message(
            line, fields, content?.body ?? call.request.body, content?.type ?? fields[.contentType])
        log.write("-->", name, request)
        let start = log.now
        do throws(NetworkError) {
            let response = try await next(call)
            record?.note(.status(response.head.status.code))
            log.write("<--", name, text.message(response, line, after: log.now - start))
            return response
        } catch {
            record?.note(.failure)
            log.write("<--", name, text.message(error, line, after: log.now - start))
            throw error
        }
    }
}

/// What the log has shown of a call's requests.
final class LogRecord: Sendable, RequestOption {
    typealias Value = LogRecord?
    static var defaultValue: LogRecord? { nil }
    static var affectsResponse: Bool { false }

    /// How the most recent request ended.
    enum Outcome: Sendable, Equatable {
        case status(Int)
        case failure
    }

    private struct State {
        var requests = 0
        var latest: Outcome?
    }

    /// The caller's body, to show instead of a compressed one.
    let content: (type: String?, body: HTTPBody?)
    private let state = Mutex(State())

    init(_ request: HTTPRequest) {
        content = (request.fields[.contentType], request.body)
    }

    /// Returns the number of the next request, from 1.
    func nextNumber() -> Int {
        state.withLock { state in
            state.requests += 1
            return state.requests
        }
    }

    func note(_ outcome: Outcome) {
        state.withLock { $0.latest = outcome }
    }

    /// The number of requests shown, and the outcome of the most recent.
    var shown: (requests: Int, latest: Outcome?) {
        state.withLock { ($0.requests, $0.latest) }
    }
}

/// The text, clock and destination of a middleware that logs.
struct LogWriter: Sendable {
    let text: LogText
    private let timeline: Timeline
    private let destination: @Sendable (String) -> Void

    init(_ options: LogOptions) {
        text = LogText(options)
        timeline = Timeline(options.clock)
        destination = options.destination
    }

    var now: Duration { timeline.now }

    func write(_ direction: String, _ name: String, _ message: String) {
        var line = TextWriter()
        line.write(direction)
        line.write(" ")
        line.write(name)
        line.write(" ")
        line.write(message)
        // A log is often read on a terminal.
        destination(TerminalText.escapedLines(line.text))
    }
}

extension HTTPFields {
    /// These fields between `Host` and the other fields that a transport adds.
    func joined(by added: HTTPFields) -> HTTPFields {
        guard !added.isEmpty else { return self }
        var all = HTTPFields()
        for field in added where field.name == .host { all.append(field) }
        for field in self { all.append(field) }
        for field in added where field.name != .host && !contains(field.name) { all.append(field) }
        return all
    }
}
