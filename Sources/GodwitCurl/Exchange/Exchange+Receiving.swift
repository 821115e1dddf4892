#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

extension Exchange {
    /// The result of libcurl's write function.
    enum Intake {
        case taken
        /// Not now: the reader has to catch up first.
        case pause
        /// Never; ``Exchange/failure`` says why.
        case refused
    }

    /// Takes the lines of a head; false to give up.
    func receiveHead(_ lines: UnsafeRawBufferPointer) -> Bool {
        guard let handle else { return false }
        switch handle.headParser.read(lines) {
        case .interim(let head):
            options.onEvent?(.interim(head))
            return true
        case .trailers: return true
        case .complete: return handle.headParser.head.map(receive) ?? false
        case .invalid(let reason): return refuse(.invalidResponse(reason: reason))
        case .tooLarge: return refuse(.tooLarge(limit: Int64(ResponseHeadParser.limit)))
        }
    }

    /// Takes a piece of the body.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Intake {
        guard failure == nil else { return .refused }
        guard flow.offer() else {
            timing?.waits(for: .reader)
            return .pause
        }
        noteActivity(of: .reader)
        let length = reception.plainLength
        let fault = reception.receive(bytes) {
            resources?.budget.hasTime(for: .events) == true ? room : 0
        } store: {
            store($0, $1, of: length)
        }
        noteDecoding(fault)
        if flow.holdsInput { effects.insert(.advance) }
        resumeWaitingUpload()
        return fault.map(refuse) ?? true ? .taken : .refused
    }

    /// The result of a turn to decode.
    enum Turn {
        case done
        /// Never again; ``Exchange/failure`` says why.
        case refused
        /// The next step takes too long for the loop. The decoder is left alone until ``BodyFlow/comeBack()``.
        case slow(ContentDecoder)
    }

    /// Decodes some of what has arrived, if that is next.
    func decode() -> Turn {
        guard flow.takeTurn() else { return .done }
        if let decoder = reception.slowDecoder {
            flow.sendAway()
            return .slow(decoder)
        }
        let length = reception.plainLength
        var steps = 0
        let fault = reception.decode {
            steps += 1
            return steps > Self.stepsPerTurn ? 0 : room
        } store: {
            store($0, $1, of: length)
        }
        noteDecoding(fault)
        if !flow.holdsInput, !flow.hasEnded { noteActivity(of: .reader) }
        return fault.map(refuse) ?? true ? .done : .refused
    }

    /// After so many pieces of 32 KiB, other exchanges decode theirs.
    private static let stepsPerTurn = 8

    private func noteDecoding(_ fault: NetworkError.Kind?) {
        flow.decoded(hasInput: fault == nil && reception.hasInput)
        // The server has nothing to do with how long that takes.
        if flow.holdsInput { timing?.waits(for: .reader) }
    }

    /// How many bytes the sink takes now.
    private var room: Int {
        switch sink {
        case .stream(let stream): stream.room
        case .buffer(let buffer): buffer.room
        case .file, .none: .max
        }
    }

    private func receive(_ head: ResponseHead) -> Bool {
        guard !failsExpectation(head.status) else { return false }
        state.receive()
        noteAnswer()
        learnAlternatives(head)
        // Such a message may end where an attacker wants: its connection is not used again (RFC 9112 section 6.3).
        if head.isFramedTwice { handle?.closeConnectionAfterwards() }
        if let fault = reception.receive(head, to: request, tlsEnd: tlsEnd) { return refuse(fault) }
        do throws(NetworkError) {
            sink = try openSink(for: head)
            resumeWaitingUpload()
            return true
        } catch {
            return refuse(error.kind)
        }
    }

    /// Takes what a response over TLS announces.
    private func learnAlternatives(_ head: ResponseHead) {
        guard let handle, handle.protocols == .http3WhereAvailable,
            request.url.scheme == .https, head.fields.contains(.altSvc),
            let field = AlternativeServiceField.parse(head.fields)
        else { return }
        let age = head.fields[.age].flatMap { Int($0) } ?? 0
        handle.resources.configuration.alternativeServices.learn(field, from: request.url.origin, age: age)
    }

    /// After an early response, libcurl stops sending, but a transfer whose source is waiting doesn't end until it is resumed.
    func resumeWaitingUpload() {
        if let source, source.isWaiting { resources?.mailbox.resumeSending(self) }
    }

    /// The end of a TLS connection that carries no other response. Of a refused upgrade only the start is read.
    private func tlsEnd() -> TLSEnd? {
        guard let handle, !isUpgrade, request.url.scheme == .https, handle.usesHTTP1 else { return nil }
        return TLSEnd(of: handle.pointer)
    }

    private func openSink(for head: ResponseHead) throws(NetworkError) -> BodySink {
        guard let resources else { return .none }
        switch request.delivery {
        case .streamed:
            return openStream(resources)
        case .file(let url) where head.status.isSuccessful:
            return .file(try FileWriter(url), url)
        case .buffered, .file:
            return .buffer(
                BufferSink(reception.limits, expected: reception.plainLength, pool: resources.smallBuffers))
        }
    }

    private func openStream(_ resources: ExchangeResources) -> BodySink {
        if source == nil { handle?.releaseRequest() }
        let capacity = resources.streamBuffer
        let channel = BodyChannel(
            capacity: capacity,
            onDemand: { [self, mailbox = resources.mailbox] in mailbox.resumeReceiving(self) },
            onCancel: { [self, mailbox = resources.mailbox] in mailbox.cancel(self) })
        answer(with: HTTPBody(.incoming(IncomingBody(channel, length: reception.plainLength))))
        return .stream(StreamSink(channel, capacity: capacity, pool: resources.largeBuffers))
    }

    private func store(_ bytes: UnsafeRawBufferPointer, _ total: Int64, of length: Int64?) -> NetworkError.Kind? {
        if let fault = store(bytes) { return fault }
        options.onEvent?(.received(total, total: length))
        return nil
    }

    /// Passes decoded bytes on. Returns why that failed, or nil.
    private func store(_ bytes: UnsafeRawBufferPointer) -> NetworkError.Kind? {
        switch sink {
        case .none:
            return nil
        case .buffer(var buffer):
            // Moved out and back in, so that growing never copies the struct's buffer reference count.
            sink = .none
            defer { sink = .buffer(buffer) }
            return buffer.append(bytes)
        case .file(let file, _):
            do throws(NetworkError) {
                try file.write(bytes)
                return nil
            } catch {
                return error.kind
            }
        case .stream(let stream):
            if !stream.isFlushScheduled {
                stream.isFlushScheduled = true
                effects.insert(.flush)
            }
            stream.append(bytes)
            if stream.room == 0 { flow.isFull = true }
            return nil
        }
    }

    /// Gives up. The first reason is the one that counts.
    private func refuse(_ kind: NetworkError.Kind) -> Bool {
        if failure == nil { failure = error(kind) }
        return false
    }

    // MARK: The reader's pace

    /// Hands what has arrived to the reader; whether it wants more immediately.
    func flush() -> Bool {
        guard case .stream(let stream) = sink else { return false }
        stream.isFlushScheduled = false
        guard let demand = stream.flush() else { return false }
        flow.isFull = demand != .more
        return demand == .more
    }
}
#endif
