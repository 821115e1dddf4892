import Synchronization

/// Logs what a call came to where its requests, which ``RequestLog`` shows, do not say it already: after several of them, and
/// if none was sent. The outermost middleware of a client that logs fields or bodies.
struct CallLog: Middleware {
    private let options: LogOptions
    private let text: LogText
    private let line: LogText
    private let timeline: Timeline

    init(_ options: LogOptions) {
        self.options = options
        text = LogText(options)
        var basic = options
        basic.level = .basic
        line = LogText(basic)
        timeline = Timeline(options.clock)
    }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let record = LogRecord(call.request)
        var logged = call
        logged.logRecord = record
        let start = timeline.now
        do throws(NetworkError) {
            let response = try await next(logged)
            if let note = Self.note(on: response, record) {
                // What no request has shown is shown with its fields.
                let text = (record.shown.requests == 0 ? text : line).adding(call)
                let message = text.message(
                    response, text.line(response.request), after: timeline.now - start, note,
                    suffix: LogText.redirects(before: response))
                options.destination("<-- #\(call.id) \(message)")
            }
            return response
        } catch {
            let (requests, latest) = record.shown
            if requests != 1 || latest != .failure {
                let line = line.adding(call)
                let name = line.line(error.request ?? call.request)
                let note = requests > 0 ? ", \(requests) requests" : ""
                let message = line.message(error, name, after: timeline.now - start)
                options.destination("<-- #\(call.id) \(message)\(note)")
            }
            throw error
        }
    }

    /// What sets the response apart from that of the latest request; `nil` if nothing does.
    private static func note(on response: HTTPResponse, _ record: LogRecord) -> String? {
        let (requests, latest) = record.shown
        if response.metrics.source == .cache { return "from the cache" }
        if requests == 0 { return "without a request" }
        if requests > 1 { return "\(requests) requests" }
        return latest == .status(response.head.status.code) ? nil : "1 request"
    }
}

/// Logs each request as it goes to the transport, with the fields that the transport adds, and its outcome.
struct RequestLog: Middleware {
    private let options: LogOptions
    private let text: LogText
    private let timeline: Timeline

    init(_ options: LogOptions) {
        self.options = options
        text = LogText(options)
        timeline = Timeline(options.clock)
    }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let number = call.logRecord?.nextNumber() ?? 1
        let name = number == 1 ? "#\(call.id)" : "#\(call.id).\(number)"
        let text = text.adding(call)
        let line = text.line(call.request)
        let fields = call.request.fields.joined(by: next.fieldsAddedByTransport(to: call.request))
        let isEncoded = call.request.fields.contains(.contentEncoding)
        let content = isEncoded ? call.logRecord?.content : nil
        let request = text.message(
            line, fields, content?.body ?? call.request.body, content?.type ?? fields[.contentType])
        options.destination("--> \(name) \(request)")
        let start = timeline.now
        do throws(NetworkError) {
            let response = try await next(call)
            call.logRecord?.note(.status(response.head.status.code))
            options.destination("<-- \(name) \(text.message(response, line, after: timeline.now - start))")
            return response
        } catch {
            call.logRecord?.note(.failure)
            options.destination("<-- \(name) \(text.message(error, line, after: timeline.now - start))")
            throw error
        }
    }
}

extension HTTPFields {
    /// These fields after `Host`, and before the rest of what a transport adds.
    func joined(by added: HTTPFields) -> HTTPFields {
        guard !added.isEmpty else { return self }
        var all = HTTPFields()
        for field in added where field.name == .host { all.append(field) }
        for field in self { all.append(field) }
        for field in added where field.name != .host && !contains(field.name) { all.append(field) }
        return all
    }
}

extension RequestLog: Observing {}
