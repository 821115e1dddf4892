#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

extension Exchange {
    // MARK: The request

    /// Whether sending it twice does no harm.
    var isRepeatable: Bool {
        request.isRepeatable
    }

    /// A connection was warmed up.
    func noteWarmUp() {
        agreedOnHTTP2 = handle.map { godwit_agreed_on_http2($0.pointer) != 0 } ?? false
    }

    /// Whether libcurl chose a connection that was shut down, as newer versions do within a second of its last use. Then
    /// nothing is sent, and the exchange starts again.
    func meetsEndedConnection() -> Bool {
        guard let handle, handle.resources.poller.endedCount > 0,
            handle.resources.poller.hasEnded(from: handle.localPort)
        else { return false }
        state.meetEndedConnection()
        // libcurl 8 would keep it, and offer it to the next exchange.
        handle.closeConnectionAfterwards()
        return true
    }

    /// The request is about to go out on a connection; false to forbid it.
    func maySend() -> Bool {
        let decision = state.send(request.method, isRepeatable: isRepeatable) {
            var report = report(CURLE_OK)
            report.isReused = true
            return report
        }
        if case .stop(let reason) = decision {
            if failure == nil { failure = error(.transport(.connectionLost(reason))) }
            return false
        }
        // libcurl 7.88 doesn't rewind what it read and did not write.
        if state.isRepetition, let source, source.sent > 0 { return rewindSource(to: 0) }
        return true
    }

    /// The request goes out.
    func noteSending() {
        noteActivity(of: .source)
        if source != nil, let handle { timing?.startLooking(at: handle.now) }
        effects.insert(.noteDeadline)
    }

    /// What is known about a transfer that failed.
    func report(_ code: CURLcode) -> ExchangeState.Report {
        var report = ExchangeState.Report(code: code, method: request.method, isRepeatable: isRepeatable)
        report.isDecided = failure != nil
        report.isHTTP = !isUpgrade
        report.lacksDescriptors = { godwit_lacks_descriptors() != 0 }
        guard let handle else { return report }
        report.isReused = handle.reusedConnection
        report.isSilent = handle.headParser.isEmpty
        return report
    }

    /// The connection that it awaits a response on, and that served one exchange at a time, is about to be closed.
    func connectionCloses(_ end: godwit_connection_end) {
        guard let handle else { return }
        let connection = ClosedConnection(
            end: end.end, unacknowledged: end.unacknowledged, body: handle.sentBodySize,
            pieces: UInt64(source?.pieces ?? 0))
        // libcurl keeps the first message of a transfer: it may be about the sending before this one.
        let message = state.isRepetition ? "" : handle.errorMessage
        if connection.leftUnread(isEncrypted: request.url.scheme == .https, message: message) { state.leaveUnread() }
    }

    /// Its HTTP/2 stream ended in a way that libcurl doesn't tell apart.
    func streamEnded(_ end: godwit_stream_end, _ goAway: Resending.GoAway?) {
        switch end {
        case godwit_stream_refused: state.streamEnded(.refused(goAway))
        case godwit_stream_cut: state.streamEnded(.cut)
        case godwit_stream_answered_early:
            state.streamEnded(.answeredEarly)
            resumeWaitingUpload()
        default: break
        }
    }

    /// Whether the request says `Expect: 100-continue`.
    var isExpecting: Bool { options.expectContinue && !state.skipsExpectation && source != nil }

    /// A 417 means that the expectation can't be met, not that the request is refused (RFC 9110 section 10.1.1). libcurl
    /// would send it again with it, and on 7.88 to the URL of an earlier exchange, so the transfer ends here.
    func failsExpectation(_ status: HTTPStatus) -> Bool {
        let canSendAgain = source?.sent == 0 || request.body?.isReplayable == true && !sendsTrailers
        guard status.code == 417, isExpecting, canSendAgain else {
            return false
        }
        state.failExpectation()
        return true
    }

    // MARK: The body

    /// Whether the response is complete over HTTP/1, and the request's stream isn't, given that libcurl reads no more.
    ///
    /// Bytes and files come to an end soon, and are sent to it. A stream may have none, as it may wait for the response's.
    var hasEarlyAnswer: Bool {
        guard let handle, let source, source.isOpenStream, state.isReceiving, flow.source == .open else { return false }
        return handle.usesHTTP1
    }

    /// Fills libcurl's buffer with bytes of the body.
    func supply(_ buffer: UnsafeMutableRawBufferPointer) -> BodySource.Step {
        // The stream is closed: nothing is sent on it, not even an end.
        guard let source, state.streamEnd != .answeredEarly else { return .bytes(0) }
        let step = source.read(into: buffer)
        switch step {
        case .bytes(let count):
            noteActivity(of: .source)
            if count > 0 { options.onEvent?(.sent(source.sent, total: source.length)) }
        case .pause:
            timing?.waits(for: .source)
        case .failed(let cause):
            var failure = error(cause.kind, .sending)
            failure.underlying = cause.underlying
            self.failure = failure
        }
        return step
    }

    /// The body has to be sent again from an earlier point.
    func rewindSource(to offset: Int64) -> Bool {
        guard let source, !source.rewind(to: offset) else { return true }
        if offset == 0, let body = request.body, body.isReplayable, let again = try? openSource(body) {
            self.source = again
            return true
        }
        failure = error(.transport(.cannotSendBody("the connection broke, and the stream can be read only once")))
        return false
    }

    /// Opens the body. Whenever its stream has more, the loop is notified.
    func openSource(_ body: HTTPBody) throws(NetworkError) -> BodySource? {
        guard let mailbox = resources?.mailbox else { return nil }
        return try BodySource(body, file.take()) { [self] in mailbox.resumeSending(self) }
    }
}
#endif
