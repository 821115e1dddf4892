import GodwitCore

extension Exchange {
    /// Fills libcurl's buffer with content to be sent.
    func supply(_ buffer: UnsafeMutableRawBufferPointer) -> BodySource.Step {
        guard let source else { return .bytes(0) }
        let step = source.read(into: buffer)
        switch step {
        case .bytes(let count):
            noteActivity(of: .source)
            if count > 0 { options.onEvent?(.sent(source.sent, total: source.length)) }
        case .pause:
            noteWaiting(for: .source)
        case .failed(let cause):
            var failure = error(cause.kind, .sending)
            failure.underlying = cause.underlying
            self.failure = failure
        }
        return step
    }

    /// The content has to be sent again from an earlier point.
    func rewindSource(to offset: Int64) -> Bool {
        guard let source, !source.rewind(to: offset) else { return true }
        if offset == 0, let again = reopenedSource() {
            self.source = again
            return true
        }
        failure = error(.transport(.cannotSendBody("the connection broke, and the stream can be read only once")))
        return false
    }

    /// The content from its beginning, if its stream can be opened again.
    private func reopenedSource() -> BodySource? {
        guard let body = request.body, body.isReplayable else { return nil }
        return try? openSource(body)
    }

    /// Opens the content; whenever its stream has more, the loop hears of it.
    func openSource(_ body: HTTPBody) throws(NetworkError) -> BodySource? {
        guard let loop = handle?.loop else { return nil }
        return try BodySource(body, file.take()) { [self] in loop.post(.resumeSending(self)) }
    }
}
