import Synchronization

/// Converts notes to events, without secrets.
final class TrafficText: Sendable {
    private let redaction: Redaction
    private let limit: Int
    private let streams = Mutex<[UInt64: StreamedText]>([:])

    init(_ inspector: Inspector) {
        redaction = Redaction(fields: inspector.redactedFields, names: inspector.redactedNames)
        limit = min(max(0, inspector.bodyLimit), 8 << 20)
    }

    func event(_ note: TrafficNote) -> TrafficEvent? {
        var event = TrafficEvent(call: note.call, time: note.time)
        switch note.content {
        case .started(let call, let request, _, let replayOf):
            event.started = message(request, request.fields, redaction.adding(call))
            event.started?.replayOf = replayOf
        case .sent(let call, let added, let exchange):
            let redaction = redaction.adding(call)
            event.sent = message(call.request, call.request.fields.joined(by: added), redaction)
            event.sent?.exchange = exchange
        case .answered(let response, let exchange):
            event.answered = TrafficEvent.Answer(
                exchange: exchange, status: response.head.status.code, fields: fields(response.head.fields),
                body: body(response.body, response.head.fields[.contentType], redaction),
                metrics: TrafficEvent.Metrics(response.metrics))
        case .chunk(let data, let exchange):
            let lines = streams.withLock { $0[exchange, default: StreamedText(limit)].take(data) }
            event.chunk = chunk(lines, size: data.count, exchange)
        case .ended(let error, let metrics, let size, let exchange):
            event.chunk = restOfStream(exchange)
            event.ended = TrafficEvent.End(
                exchange: exchange, size: size, error: error.map { "\($0)" },
                metrics: metrics.map(TrafficEvent.Metrics.init))
        case .message(let message, let isSent): event.message = socketMessage(message, isSent)
        case .finished(let response, let isShared, let isSent): event.finished = finish(response, isShared, isSent)
        case .served(let response): event.finished = finish(served: response)
        case .broken(let reason, let exchange):
            event.chunk = restOfStream(exchange)
            event.failed = TrafficEvent.Failure(
                error: reason, kind: "server", phase: NetworkError.Phase.sending.rawValue, isRetryable: true)
        case .failed(let error, let exchange): event.failed = failure(error, exchange)
        case .values(let values, let urls): event.values = self.values(values, urls)
        }
        return event
    }

    /// The bytes of a streamed body that wait for the end of their line.
    private func restOfStream(_ exchange: UInt64) -> TrafficEvent.Chunk? {
        let rest = streams.withLock { $0.removeValue(forKey: exchange)?.pending }
        guard let rest, !rest.isEmpty else { return nil }
        return chunk(rest, size: 0, exchange)
    }

    private func finish(_ response: HTTPResponse, _ isShared: Bool, _ isSent: Bool) -> TrafficEvent.Finish {
        let isCached = response.metrics.source == .cache
        let fields = response.head.fields
        return TrafficEvent.Finish(
            status: response.head.status.code, fields: self.fields(fields),
            source: isCached ? "cache" : isShared ? "shared" : "network", url: redaction.url(response.request.url),
            redirects: response.metrics.redirectCount, attempts: response.metrics.attempt,
            body: isCached || !isSent ? body(response.body, fields[.contentType], redaction) : nil)
    }

    private func finish(served response: HTTPResponse) -> TrafficEvent.Finish {
        TrafficEvent.Finish(
            status: response.head.status.code, fields: fields(response.head.fields), source: "server",
            url: redaction.url(response.request.url), redirects: 0, attempts: 1)
    }

    private func failure(_ error: NetworkError, _ exchange: UInt64?) -> TrafficEvent.Failure {
        TrafficEvent.Failure(
            exchange: exchange, error: "\(error)", kind: error.shortDescription, phase: error.phase.rawValue,
            userMessage: error.userMessage, isRetryable: error.isRetryable)
    }

    private func values(
        _ values: TrafficEvent.StoredValues, _ urls: [HTTPURL]
    ) -> TrafficEvent.StoredValues {
        var values = values
        for (index, url) in zip(values.values.indices, urls) { values.values[index].url = redaction.url(url) }
        return values
    }

    private func message(
        _ request: HTTPRequest, _ fields: HTTPFields, _ redaction: Redaction
    ) -> TrafficEvent.Message {
        TrafficEvent.Message(
            method: "\(request.method)", url: redaction.url(request.url),
            fields: fields.map { ["\($0.name)", redaction.value(of: $0)] },
            body: request.body.flatMap { body($0, fields[.contentType], redaction) })
    }

    private func fields(_ fields: HTTPFields) -> [[String]] {
        fields.map { ["\($0.name)", redaction.value(of: $0)] }
    }

    /// `nil` for an empty body and for a stream.
    private func body(_ body: HTTPBody, _ type: String?, _ redaction: Redaction) -> TrafficEvent.Body? {
        switch body.storage {
        case .bytes(let data):
            guard !data.isEmpty else { return nil }
            var shown = TrafficEvent.Body(size: Int64(data.count))
            if data.count > limit { shown.isTruncated = true }
            let media = type.flatMap(MediaType.init(_:))
            // Some servers send JSON with another type; its secrets are found only if it is treated as JSON.
            let isJSON = media?.isJSON != true && JSONLayout.looksLikeJSON(data.prefix(64))
            let (text, encoding) = redaction.text(of: data, isJSON ? .json : media, limit: limit)
            if encoding == nil { shown.text = text } else { shown.base64 = text }
            return shown
        case .file, .stream: return TrafficEvent.Body(size: body.length)
        case .incoming: return nil
        }
    }

    private func socketMessage(_ message: WebSocketMessage, _ isSent: Bool) -> TrafficEvent.SocketMessage {
        switch message {
        case .text(let text):
            TrafficEvent.SocketMessage(isSent: isSent, size: text.utf8.count, text: shown(Data(text.utf8)).text)
        case .binary(let data):
            TrafficEvent.SocketMessage(
                isSent: isSent, size: data.count, base64: data.prefix(limit).base64EncodedString())
        }
    }

    private func chunk(_ data: Data, size: Int, _ exchange: UInt64) -> TrafficEvent.Chunk {
        var chunk = TrafficEvent.Chunk(exchange: exchange, size: size)
        if !data.isEmpty { (chunk.text, chunk.base64) = shown(data) }
        return chunk
    }

    /// Streamed bytes and messages have no type to redact by: members of JSON that look secret are redacted in any text.
    private func shown(_ data: Data) -> (text: String?, base64: String?) {
        let start = Data(data.prefix(limit))
        guard String(validating: start, as: UTF8.self) != nil else { return (nil, start.base64EncodedString()) }
        return (redaction.json(start, limit: limit), nil)
    }
}

/// Cuts a streamed body into whole lines: a secret that two chunks share would not be recognized.
private struct StreamedText {
    private static let longestLine = 64 << 10

    private(set) var pending = Data()
    /// How many more bytes are shown.
    private var allowance: Int

    init(_ limit: Int) {
        allowance = limit
    }

    /// Returns the lines that are complete. A line beyond 64 KiB is cut.
    mutating func take(_ data: Data) -> Data {
        let accepted = data.prefix(allowance)
        allowance -= accepted.count
        pending.append(accepted)
        guard let end = pending.lastIndex(of: 0x0A).map({ $0 + 1 }) ?? (isLong ? pending.endIndex : nil) else {
            return Data()
        }
        defer { pending = Data(pending[end...]) }
        return Data(pending[..<end])
    }

    private var isLong: Bool { pending.count >= Self.longestLine || allowance == 0 }
}
