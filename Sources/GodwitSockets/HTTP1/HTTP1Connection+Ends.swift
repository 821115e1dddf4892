#if os(Linux)
import GodwitCore

/// How an exchange ends before or with its connection.
extension HTTP1Connection {
    /// Ends the exchange whose response is complete, unless the rest of its request is still to be sent.
    func settleSending(isOver: Bool) {
        guard case .done = input, let exchange else { return }
        let isSent = output == .idle && !connection.hasPendingOutput
        guard isSent || isOver || !sendsOn(after: exchange) else { return }
        if !isSent {
            staysOpen = false
            output = .idle
        }
        finish(exchange, exchange.reception.trailers)
    }

    /// Whether the request is sent to its end although its response is complete: bytes and files come to an end soon. A stream
    /// may have none, as it may wait for the response's; and what was refused isn't wanted.
    private func sendsOn(after exchange: Exchange) -> Bool {
        guard let source = exchange.source, output == .body || connection.hasPendingOutput else { return false }
        return !source.isOpenStream && exchange.reception.status.map { $0.code < 400 } == true
            && connection.failure == nil
    }

    func ended(isNotified: Bool) {
        guard let exchange else { return close(nil) }
        switch input {
        case .head where reader.isEmpty: lose(exchange, silentEnd)
        case .head: lose(exchange, .transport(.connectionLost("it ended inside the response's header")))
        case .body(.untilClose) where isNotified || !connection.isSecure:
            _ = completeInput([:], UnsafeRawBufferPointer(start: nil, count: 0))
            // The rest of the request can't be wanted.
            settleSending(isOver: true)
        case .body(.untilClose): lose(exchange, .transport(.connectionLost(Reception.unannouncedEnd)))
        case .body(.length(let left)):
            lose(exchange, .transport(.connectionLost("it ended with \(left) bytes of the body missing")))
        case .body(.chunks): lose(exchange, .transport(.connectionLost("it ended before the last chunk")))
        case .refusal: lose(exchange, silentEnd, .challenged)
        case .done: settleSending(isOver: true)
        }
    }

    private var silentEnd: NetworkError.Kind {
        connection.failure ?? .transport(.connectionLost("the server closed the connection without an answer"))
    }

    func failed(_ kind: NetworkError.Kind) {
        guard let exchange else { return close(nil) }
        switch input {
        case .done: settleSending(isOver: true)
        case .refusal: lose(exchange, kind, .challenged)
        case .head, .body: lose(exchange, kind)
        }
    }

    @discardableResult
    func lose(
        _ exchange: Exchange, _ kind: NetworkError.Kind, _ evidence: Resending.Evidence? = nil
    ) -> Bool {
        var loss = ExchangeState.Loss(evidence: evidence ?? .unknown, isReused: isReused, isSilent: reader.isEmpty)
        if evidence == nil, loss.isSilent, isReused, leftUnread { loss.evidence = .unread }
        self.exchange = nil
        close(nil)
        services.lost(exchange, kind, loss)
        return false
    }

    /// Whether the peer closed the connection before the head had reached it (decision 023).
    ///
    /// The peer's end of stream acknowledges all that has reached it. If it doesn't acknowledge a byte of the head, it was sent
    /// before the head was complete. TLS adds up to 29 bytes to each record, and an alert at the end.
    private var leftUnread: Bool {
        if sentSize == 0 { return true }
        // A reset tells nothing, and after one that a write met, a read finds an end that the peer didn't send.
        guard connection.hasEnded, !connection.socket.wasReset,
            let figures = TCPFigures(of: connection.socket.descriptor)
        else { return false }
        let body = UInt64(max(0, sentSize - headSize))
        let records = body > 0 ? UInt64(pieces) + body >> 14 : 0
        return figures.unacknowledged > body + (connection.isSecure ? records * 29 + 31 : 0)
    }

    /// The exchange gave up, or has to.
    func refuse(_ exchange: Exchange, _ kind: NetworkError.Kind? = nil) -> Bool {
        if let kind { _ = exchange.refuse(kind) }
        self.exchange = nil
        close(nil)
        services.gaveUp(exchange)
        return false
    }
}
#endif
