import GodwitCore

/// Reads the payloads of a response and merges them.
struct IncrementalReader {
    private enum Framing {
        case parts(MultipartMixedParser)
        case events(EventStreamParser)
        /// One complete result.
        case whole
    }

    private enum Part {
        case payload(Data)
        /// The framing says that no payload follows.
        case end
    }

    let response: HTTPResponse
    private let exchange: OperationExchange
    /// `nil` for one complete result, whose body is collected.
    private var chunks: HTTPBody.AsyncIterator?
    private var framing: Framing
    private var merge: IncrementalMerge

    /// Whether there are no more updates.
    var isComplete: Bool {
        if case .whole = framing { true } else { merge.isComplete }
    }

    init(_ response: HTTPResponse, _ exchange: OperationExchange, limit: Int) {
        self.response = response
        self.exchange = exchange
        merge = IncrementalMerge(limit: limit)
        let type = response.head.fields[.contentType].flatMap(MediaType.init(_:))
        switch type?.essence {
        // Without a boundary, some servers use a hyphen.
        case "multipart/mixed": framing = .parts(MultipartMixedParser(boundary: type?.boundary ?? "-", limit: limit))
        case "text/event-stream": framing = .events(EventStreamParser(lastEventID: "", limit: limit))
        default: framing = .whole
        }
        if !response.head.status.isSuccessful { framing = .whole }
        if case .whole = framing { return }
        chunks = response.body.makeAsyncIterator()
    }

    /// The merged result after the next payload; `nil` if the body has ended after the last.
    mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> RawResult? {
        if case .whole = framing { return try await exchange.result(of: response) }
        while true {
            while let part = try part() {
                if try merges(part) { return merge.result() }
            }
            guard let chunk = try await chunks?.next(isolation: actor) else {
                let reason = "the response ended before its last part"
                throw NetworkError(.transport(.connectionLost(reason)), phase: .receiving).adding(response)
            }
            append(chunk)
        }
    }

    /// Merges a part. Returns whether the result has changed, or is complete.
    private mutating func merges(_ part: Part) throws(NetworkError) -> Bool {
        switch part {
        case .payload(let payload): return try merge.merge(payload)
        case .end:
            merge.end()
            return true
        }
    }

    private mutating func append(_ chunk: Data) {
        switch framing {
        case .parts(var parts):
            framing = .whole
            parts.append(chunk)
            framing = .parts(parts)
        case .events(var parser):
            framing = .whole
            parser.append(chunk)
            framing = .events(parser)
        case .whole: break
        }
    }

    private mutating func part() throws(NetworkError) -> Part? {
        do {
            switch framing {
            case .parts(var parts):
                framing = .whole
                defer { framing = .parts(parts) }
                if let payload = try parts.next() { return .payload(payload) }
                return parts.isFinished && merge.mayEnd ? .end : nil
            case .events(var parser):
                framing = .whole
                defer { framing = .events(parser) }
                while let event = try parser.next() {
                    if event.type == "next" || event.type == "message" { return .payload(Data(event.data.utf8)) }
                    if event.type == "complete" { return .end }
                }
                return nil
            case .whole: return nil
            }
        } catch {
            let limit = (error as? MultipartMixedParser.TooLarge)?.limit ?? (error as? EventTooLarge)?.limit ?? 0
            throw NetworkError(.tooLarge(limit: Int64(limit)), phase: .receiving).adding(response)
        }
    }
}
