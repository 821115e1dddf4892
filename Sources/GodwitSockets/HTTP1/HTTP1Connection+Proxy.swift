#if os(Linux)
import GodwitCore

/// A proxy that gets requests in absolute form asks for credentials.
extension HTTP1Connection {
    /// Whether a head is a 407 to answer. Otherwise it is the response.
    func answersProxy(_ head: HTTP1ResponseHead, _ exchange: Exchange) -> Bool {
        guard route.forwarder != nil, let authentication = route.plan.authentication,
            !exchange.request.fields.contains(.proxyAuthorization)
        else { return false }
        guard head.status.code == 407 else {
            authentication.accepted(head.fields)
            return false
        }
        return authentication.answers(head.fields, &exchange.proxyAttempt)
    }

    /// Sends the request again: on this connection if the proxy keeps it, after the body of its answer.
    func takeRefusal(_ head: HTTP1ResponseHead, _ rest: UnsafeRawBufferPointer, _ exchange: Exchange) -> Bool {
        guard exchange.source == nil || canSendBodyAgain(exchange) else {
            let reason = "the proxy asked for credentials after the body was sent, and the stream can be read only once"
            return refuse(exchange, .transport(.cannotSendBody(reason)))
        }
        let isSent = output == .idle && !connection.hasPendingOutput
        guard isSent, let refusal = Refusal(head, of: exchange.request.method) else {
            return lose(exchange, Self.unanswered, .challenged)
        }
        keepUntil = nil
        guard refusal.isOver else {
            input = .refusal(refusal)
            return true
        }
        return sendAgain(exchange, rest)
    }

    /// Skips a piece of the body of a 407; `false` if nothing more has to be done with the bytes.
    func skip(_ refusal: Refusal, _ rest: inout UnsafeRawBufferPointer, _ exchange: Exchange) -> Bool {
        exchange.noteHeadBytes()
        var refusal = refusal
        let step = refusal.skip(&rest)
        input = .refusal(refusal)
        switch step {
        case .incomplete: return true
        case .end: return sendAgain(exchange, rest)
        case .unusable: return lose(exchange, Self.unanswered, .challenged)
        }
    }

    private func sendAgain(_ exchange: Exchange, _ rest: UnsafeRawBufferPointer) -> Bool {
        // Bytes after a response belong to nothing that was asked for.
        guard rest.isEmpty, connection.failure == nil, !connection.hasEnded else {
            return lose(exchange, Self.unanswered, .challenged)
        }
        self.exchange = nil
        services.lost(exchange, Self.unanswered, ExchangeState.Loss(evidence: .challenged, isReused: isReused))
        services.released(self, keepUntil: nil)
        return false
    }

    /// Whether a body that can be sent only once waits until the proxy has said what it asks for.
    func asksProxyFirst(_ exchange: Exchange) -> Bool {
        route.forwarder != nil && route.plan.authentication?.isUnasked == true
            && exchange.request.body?.isReplayable == false
    }

    private static let unanswered = NetworkError.Kind.transport(.connectionLost("the proxy asked for credentials"))
}
#endif
