import Synchronization

/// Converts notes to events, without secrets.
final class TrafficText: Sendable {
    private let redaction: Redaction
    private let limit: Int
    private let streams = Mutex<[UInt64: StreamedText]>([:])
    /// The fields of a response that were shown last: the end of a call has those of its answer again.
    private let latest = Mutex<(fields: HTTPFields, shown: [[String]])?>(nil)

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
            let redaction = redaction.adding(response.request)
            event.answered = TrafficEvent.Answer(
                exchange: exchange, status: response.head.status.code,
                fields: responseFields(response.head.fields, redaction),
                body: body(response.body, response.head.fields[.contentType], redaction),
                metrics: TrafficEvent.Metrics(response.metrics))
        case .chunk(let data, let request, let exchange):
            event.chunk = chunk(shown(data, request, exchange), size: data.count, exchange)
        case .ended(let error, let metrics, let size, let exchange):
            event.chunk = restOfStream(exchange)
            event.ended = TrafficEvent.End(
                exchange: exchange, size: size, error: error.map { "\($0)" },
                metrics: metrics.map(TrafficEvent.Metrics.init))
        case .message(let message, let isSent, let sent):
            event.message = socketMessage(message, isSent, sent.map { redaction.adding($0) } ?? redaction)
        case .finished(let response, let isShared, let isSent): event.finished = finish(response, isShared, isSent)
        case .served(let response): event.finished = finish(served: response)
        case .broken(let reason, let exchange):
            event.chunk = restOfStream(exchange)
            event.failed = TrafficEvent.Failure(
                error: redaction.references(reason), kind: "server", phase: NetworkError.Phase.sending.rawValue,
                isRetryable: true)
        case .failed(let error, let exchange): event.failed = failure(error, exchange)
        case .values(let values, let urls): event.values = self.values(values, urls)
        }
        return event
    }

    /// What is shown of a chunk of a streamed body.
    private func shown(_ data: Data, _ request: HTTPRequest, _ exchange: UInt64) -> Data {
        streams.withLock { streams in
            let new = { StreamedText(self.limit, self.redaction.adding(request).redactor()) }
            return streams[exchange, default: new()].take(data)
        }
    }

    /// The bytes of a streamed body that wait for the next ones.
    private func restOfStream(_ exchange: UInt64) -> TrafficEvent.Chunk? {
        let rest = streams.withLock { streams in
            var stream = streams.removeValue(forKey: exchange)
            return stream?.finish()
        }
        guard let rest, !rest.isEmpty else { return nil }
        return chunk(rest, size: 0, exchange)
    }

    private func finish(_ response: HTTPResponse, _ isShared: Bool, _ isSent: Bool) -> TrafficEvent.Finish {
        let isCached = response.metrics.source == .cache
        let fields = response.head.fields
        let redaction = redaction.adding(response.request)
        return TrafficEvent.Finish(
            status: response.head.status.code, fields: responseFields(fields, redaction),
            source: isCached ? "cache" : isShared ? "shared" : "network",
            url: redaction.foreignURL(response.request.url),
            redirects: response.metrics.redirectCount, attempts: response.metrics.attempt,
            upgrades: response.metrics.upgradeCount > 0 ? response.metrics.upgradeCount : nil,
            body: isCached || !isSent ? body(response.body, fields[.contentType], redaction) : nil)
    }

    private func finish(served response: HTTPResponse) -> TrafficEvent.Finish {
        let redaction = redaction.adding(response.request)
        return TrafficEvent.Finish(
            status: response.head.status.code, fields: fields(response.head.fields, redaction), source: "server",
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
            method: request.method.rawValue, url: redaction.foreignURL(request.url),
            fields: self.fields(fields, redaction),
            body: request.body.flatMap { body($0, fields[.contentType], redaction) })
    }

    private func responseFields(_ fields: HTTPFields, _ redaction: Redaction) -> [[String]] {
        // What else is shown depends on the secrets of the call.
        guard !redaction.knowsSecrets else { return self.fields(fields, redaction) }
        if let latest = latest.withLock(\.self), latest.fields.isCopy(of: fields) { return latest.shown }
        let shown = self.fields(fields, redaction)
        latest.withLock { $0 = (fields, shown) }
        return shown
    }

    private func fields(_ fields: HTTPFields, _ redaction: Redaction) -> [[String]] {
        fields.map { [$0.name.rawName, redaction.value(of: $0)] }
    }

    /// `nil` for an empty body and for a stream.
    private func body(_ body: HTTPBody, _ type: String?, _ redaction: Redaction) -> TrafficEvent.Body? {
        switch body.storage {
        case .bytes(let data):
            guard !data.isEmpty else { return nil }
            var shown = TrafficEvent.Body(size: Int64(data.count))
            if data.count > limit { shown.isTruncated = true }
            let (text, encoding) = redaction.text(of: data, type.flatMap(MediaType.init(_:)), limit: limit)
            if encoding == nil { shown.text = text } else { shown.base64 = text }
            return shown
        case .file, .stream: return TrafficEvent.Body(size: body.length)
        case .incoming: return nil
        }
    }

    private func socketMessage(
        _ message: WebSocketMessage, _ isSent: Bool, _ redaction: Redaction
    ) -> TrafficEvent.SocketMessage {
        let data =
            switch message {
            case .text(let text): Data(text.utf8)
            case .binary(let data): data
            }
        var shown = TrafficEvent.SocketMessage(isSent: isSent, size: data.count)
        let bytes = redaction.bytes(of: data, nil, limit: limit)
        if case .text = message { shown.text = text(bytes) } else { shown.base64 = Data(bytes).base64EncodedString() }
        return shown
    }

    private func chunk(_ data: Data, size: Int, _ exchange: UInt64) -> TrafficEvent.Chunk {
        var chunk = TrafficEvent.Chunk(exchange: exchange, size: size)
        guard !data.isEmpty else { return chunk }
        chunk.text = String(validating: data, as: UTF8.self)
        if chunk.text == nil { chunk.base64 = data.base64EncodedString() }
        return chunk
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// Redacts a streamed body up to a limit, and cuts it between characters.
private struct StreamedText {
    private var redactor: SecretRedactor
    /// How many more bytes are shown.
    private var allowance: Int
    private var isCut = false
    /// The start of a character.
    private var rest = Data()

    init(_ limit: Int, _ redactor: SecretRedactor) {
        allowance = limit
        self.redactor = redactor
    }

    /// Returns what is known to be shown.
    mutating func take(_ data: Data) -> Data {
        let accepted = data.prefix(allowance)
        allowance -= accepted.count
        isCut = isCut || accepted.count < data.count
        rest += redactor.append(accepted)
        return takeCharacters()
    }

    mutating func finish() -> Data {
        rest + redactor.finish(isCut: isCut)
    }

    private mutating func takeCharacters() -> Data {
        let open = (1...3).first { count in
            rest.count >= count && rest.suffix(count).first.map { $0 >= 0xC0 } ?? false
        }
        let start = rest.dropLast(open ?? 0)
        // What isn't text isn't cut into characters.
        guard open != nil, String(validating: start, as: UTF8.self) != nil else {
            defer { rest = Data() }
            return rest
        }
        defer { rest = Data(rest.suffix(open ?? 0)) }
        return Data(start)
    }
}
