import CGodwitCurl
import GodwitCore

// What happens to a request when it is sent, and whether it may be sent again.
extension Exchange {
    /// The request is about to go out on a connection; false to forbid it.
    func willSend() -> Bool {
        // libcurl sends again by itself if a kept connection ends without a byte of a response, whatever the method.
        guard isStartingAnew || sendCount == 0 || mayBeSentAgain(evidence(isReused: true)) else { return false }
        isStartingAnew = false
        refusal = (false, nil)
        closing = nil
        sendCount += 1
        if let handle { handle.engine.established(handle, for: self) }
        noteActivity(of: .source)
        if source != nil, let engine { timing?.startLooking(at: engine.now) }
        engine?.note(deadline)
        return true
    }

    /// Some of the request's header has gone out: what ``willSend()`` says before, where libcurl cannot be forbidden it.
    func noteSending() {
        if sendCount == 0 { _ = willSend() } else { noteActivity(of: .source) }
    }

    /// Whether sending it twice does no harm.
    var isSafeToSendAgain: Bool {
        request.method.isIdempotent || request.fields.contains(.idempotencyKey)
    }

    /// Its HTTP/2 stream ended in a way that libcurl doesn't tell apart.
    func streamEnded(_ end: godwit_stream_end, _ goAway: Resending.GoAway?) {
        switch end {
        case godwit_stream_refused: refusal = (true, goAway)
        case godwit_stream_cut: isCut = true
        case godwit_stream_answered_early: isAnsweredEarly = true
        default: break
        }
    }

    /// Whether it failed in a way that lets it be sent again, which the engine then does.
    func startsAgain(after code: CURLcode) -> Bool {
        guard sendCount > 0, failure == nil, !isCancelled, upgraded == nil, head == nil else { return false }
        guard code != CURLE_OK || refusal.isRefused else { return false }
        let isReused = handle.map { $0.reusedConnection } ?? false
        let evidence = evidence(isReused: isReused)
        if evidence == .unknown {
            // A kept connection that broke, where libcurl doesn't try again by itself: once, if that is safe.
            guard isReused, isSafeToSendAgain, resending.count == 0, handle?.headParser.isEmpty == true,
                code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR
            else { return false }
        }
        guard mayBeSentAgain(evidence) else { return false }
        isStartingAnew = true
        wantsOwnConnection = evidence == .unread || evidence == .refused(nil)
        if let engine { timing?.restart(at: engine.now) }
        return rewindSource(to: 0)
    }

    /// Whether it was sent on the connection with this port on our end, and nothing has come back.
    func waitsForAnswer(on port: Int) -> Bool {
        guard sendCount > 0, head == nil, let handle else { return false }
        return handle.localPort == port
    }

    /// Whether it may be sent again; if not, the reason is in ``failure``.
    private func mayBeSentAgain(_ evidence: Resending.Evidence) -> Bool {
        switch resending.decide(evidence, method: request.method.rawValue, isRepeatable: isSafeToSendAgain) {
        case .again: return true
        case .stop(let reason):
            if failure == nil { failure = error(.transport(.connectionLost(reason))) }
            return false
        }
    }

    /// What is known about the last sending, which failed.
    private func evidence(isReused: Bool) -> Resending.Evidence {
        if expectationFailed, head == nil, handle?.headParser.head?.status.code == 417 { return .expectationFailed }
        guard let handle, handle.headParser.isEmpty else { return .unknown }
        if refusal.isRefused { return .refused(refusal.goAway) }
        guard isReused, let closing else { return .unknown }
        let isUnread = closing.leftUnread(
            body: handle.sentBodySize, pieces: UInt64(source?.pieces ?? 0),
            isEncrypted: request.url.scheme == .https, error: handle.errorMessage)
        return isUnread ? .unread : .unknown
    }

    /// Whether the request says `Expect: 100-continue`.
    var isExpecting: Bool { options.expectContinue && !expectationFailed && source != nil }

    /// A 417 means that the expectation can't be met, not that the request is refused (RFC 9110 section 10.1.1). libcurl
    /// would send it again with it, and on 7.88 to the URL of an earlier exchange, so the transfer ends here.
    func failsExpectation(_ status: HTTPStatus) -> Bool {
        guard status.code == 417, isExpecting, source?.sent == 0 || request.body?.isReplayable == true else {
            return false
        }
        expectationFailed = true
        return true
    }
}
