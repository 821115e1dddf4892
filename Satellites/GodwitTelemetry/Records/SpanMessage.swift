import GodwitCore

/// Writes spans as OTLP's `ExportTraceServiceRequest`.
struct SpanMessage: ExportMessage {
    static var signal: TelemetryOptions.Signal { .traces }

    let resource: Resource
    let redaction: Redaction

    func write<Writer: MessageWriter>(_ spans: [SpanRecord], as format: Writer.Type) -> Data {
        var writer = Writer()
        writer.message(list: 1, "resourceSpans") { writer in
            resource.write(to: &writer, scopes: "scopeSpans") { writer in
                writer.messages(2, "spans", spans) { write($1, to: &$0) }
            }
        }
        return Data(writer.bytes)
    }

    private func write(_ span: SpanRecord, to writer: inout some MessageWriter) {
        writer.bytes(1, "traceId", words: span.trace.traceWords)
        writer.bytes(2, "spanId", words: [span.trace.span])
        if let state = span.trace.state { writer.string(3, "traceState", state) }
        if let parent = span.parent { writer.bytes(4, "parentSpanId", words: [parent.span]) }
        writer.string(5, "name", span.name)
        writer.enumeration(6, "kind", span.kind)
        writer.fixed64(7, "startTimeUnixNano", span.start.nanoseconds)
        writer.fixed64(8, "endTimeUnixNano", span.start.nanoseconds + span.duration.nanoseconds)
        writer.attributes(9, span.attributes(redaction))
        if span.outcome.error != nil {
            writer.message(15, "status") { writer in
                if let message = span.outcome.message {
                    // It may show a URL, in which the error knows fewer secrets than this telemetry.
                    writer.string(2, "message", redaction.adding(span.secrets).references(message))
                }
                writer.enumeration(3, "code", 2)
            }
        }
        writer.fixed32(16, "flags", 1)
    }
}

extension SpanRecord {
    /// The method and template. An unknown method counts as HTTP, as the name must have few values.
    var name: String {
        let method = isKnownMethod ? method.rawValue : "HTTP"
        return template.map { "\(method) \($0)" } ?? method
    }

    /// Internal or client, by OTLP's numbers.
    var kind: UInt32 {
        switch scope {
        case .call: 1
        case .request: 3
        }
    }

    func attributes(_ redaction: Redaction) -> [Attribute] {
        var all = commonAttributes
        switch scope {
        case .call(let source, let requests):
            if let source { all.append(Attribute("godwit.call.source", source)) }
            all.append(Attribute("godwit.call.requests", requests))
        case .request(let resendCount):
            if resendCount > 0 { all.append(Attribute("http.request.resend_count", resendCount)) }
            all.append(Attribute("url.full", fullURL(redaction)))
            outcome.addConnection(to: &all)
        }
        return all
    }

    private var commonAttributes: [Attribute] {
        var all: [Attribute] = []
        all.reserveCapacity(16)
        all.append(Attribute("http.request.method", isKnownMethod ? method.rawValue : HTTPMethod.otherLabel))
        all.append(Attribute("server.address", url.origin.address))
        all.append(Attribute("server.port", url.port))
        if !isKnownMethod { all.append(Attribute("http.request.method_original", method.rawValue)) }
        if let template { all.append(Attribute("url.template", template)) }
        if let status = outcome.status { all.append(Attribute("http.response.status_code", status)) }
        if let error = outcome.error { all.append(Attribute("error.type", error)) }
        return all
    }

    /// The URL, with the mark that the conventions use in place of secrets.
    private func fullURL(_ redaction: Redaction) -> String {
        // No URL contains the characters of the other mark unless they are escaped.
        let redaction = redaction.adding(secrets)
        let shown = foreignURL.map(redaction.references) ?? redaction.url(url)
        return shown.withBytes { $0.contains(UInt8(ascii: "<")) }
            ? shown.replacing(Redaction.mark, with: "REDACTED") : shown
    }
}

extension Outcome {
    /// Adds what is known of the connection and the sizes.
    fileprivate func addConnection(to all: inout [Attribute]) {
        if let version { all.append(Attribute("network.protocol.version", version.number)) }
        if let peer = peer.flatMap(PeerAddress.init) {
            all.append(Attribute("network.peer.address", peer.address))
            all.append(Attribute("network.peer.port", peer.port))
        }
        if let sentBytes, sentBytes > 0 { all.append(Attribute("http.request.body.size", sentBytes)) }
        if let receivedBytes { all.append(Attribute("http.response.body.size", receivedBytes)) }
    }
}

extension Redaction {
    fileprivate func adding(_ queryItems: Set<String>) -> Redaction { adding([], queryItems) }
}
