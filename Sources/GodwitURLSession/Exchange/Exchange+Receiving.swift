import GodwitCore
import Synchronization

extension Exchange {
    /// Counts sent bytes of the body.
    func noteSent(_ count: Int64) {
        let event = state.withLock { state -> TransferEvent? in
            guard !state.isOver else { return nil }
            state.deadlines.moved(at: .now)
            state.sent += count
            return .sent(state.sent, total: state.lengthToSend)
        }
        if let event { options.onEvent?(event) }
    }

    /// Receives the head; false cancels the task.
    package func receive(_ response: URLResponse) -> Bool {
        guard let head = ResponseConversion.head(of: response) else {
            fail(.invalidResponse(reason: "it is not an HTTP response"), .receiving)
            return false
        }
        // On Linux, interim responses arrive like final ones.
        if head.status.kind == .informational {
            options.onEvent?(.interim(head))
            return true
        }
        // Parts of multipart/x-mixed-replace arrive as separate responses, without their delimiters.
        if state.withLock({ $0.head != nil }) {
            fail(Platform.unsupported("a multipart/x-mixed-replace response"))
            return false
        }
        let content = ResponseContent(head, to: request)
        let isOpen = state.withLock { note(content, &$0) }
        guard isOpen else { return false }
        if let fault = content.fault(for: request) {
            fail(fault)
            return false
        }
        return openSink(content)
    }

    private func note(_ content: ResponseContent, _ state: inout State) -> Bool {
        guard !state.isOver else { return false }
        state.deadlines.moved(at: .now)
        state.firstByte = state.deadlines.start.duration(to: .now)
        state.head = content.head
        state.isDecoded = content.isDecoded
        state.declaredLength = content.declaredLength
        state.plainLength = content.plainLength
        return true
    }

    private func openSink(_ content: ResponseContent) -> Bool {
        switch request.delivery {
        case .streamed:
            openStream(content)
        case .file(let url) where content.head.status.isSuccessful:
            do throws(NetworkError) {
                let writer = try FileWriter(url)
                state.withLock { $0.sink = .file(writer, url) }
            } catch {
                fail(error.kind)
                return false
            }
        case .buffered, .file:
            state.withLock { $0.sink = .buffer }
        }
        return true
    }

    private func openStream(_ content: ResponseContent) {
        let channel = BodyChannel(
            capacity: streamBuffer, onDemand: { [self] in release() }, onCancel: { [self] in cancel() })
        let body = HTTPBody(.incoming(IncomingBody(channel, length: content.plainLength)))
        let (caller, answer) = state.withLock { state -> (Caller?, HTTPResponse?) in
            guard !state.isOver else { return (nil, nil) }
            state.sink = .stream(channel)
            return (state.caller.take(), response(state, body, measured(state)))
        }
        if let answer { caller?.resume(returning: .success(answer)) }
    }

    // MARK: Content

    private enum Intake: Sendable {
        /// The exchange has ended.
        case unwanted
        case refused(NetworkError.Kind)
        case taken(ResponseSink, received: Int64, total: Int64?)
    }

    /// Receives a piece of the body.
    func receive(_ data: Data) {
        switch state.withLock({ take(data, &$0) }) {
        case .unwanted:
            return
        case .refused(let kind):
            fail(kind)
        case .taken(let sink, let received, let total):
            pass(data, to: sink)
            options.onEvent?(.received(received, total: total))
        }
    }

    private func take(_ data: Data, _ state: inout State) -> Intake {
        guard !state.isOver, state.head != nil else { return .unwanted }
        state.deadlines.moved(at: .now)
        state.hasDemand = false
        state.received += Int64(data.count)
        if let fault = limits.fault(decoded: state.received, isDecoded: state.isDecoded) { return .refused(fault) }
        if !state.isDecoded, let fault = limits.fault(encoded: state.received) { return .refused(fault) }
        if case .buffer = state.sink {
            if let fault = limits.fault(adding: data.count, toBuffered: state.buffer.count) { return .refused(fault) }
            state.buffer.append(data)
        }
        return .taken(state.sink, received: state.received, total: state.plainLength)
    }

    private func pass(_ data: Data, to sink: ResponseSink) {
        switch sink {
        case .none, .buffer:
            return
        case .file(let file, _):
            do throws(NetworkError) {
                try file.write(data)
            } catch {
                fail(error.kind)
            }
        case .stream(let channel):
            if channel.send(data) == .pause { hold() }
        }
    }

    // MARK: Back pressure

    /// Suspends the task until the reader has caught up.
    private func hold() {
        let isStuck = state.withLock { state in
            guard !state.isOver, !state.isHeld, !state.hasDemand, let task = state.task else { return false }
            state.isHeld = task.hold()
            if state.isHeld { state.deadlines.hold() }
            return !state.isHeld
        }
        if isStuck { fail(Platform.unsupported("pausing a response whose reader is \(streamBuffer) bytes behind")) }
    }

    private func release() {
        state.withLock { state in
            state.hasDemand = true
            guard state.isHeld, !state.isOver else { return }
            state.isHeld = false
            state.deadlines.release(at: .now)
            state.task?.release()
        }
    }
}
