#if os(Linux)
package import GodwitCore

extension Exchange {
    /// An interim head arrived.
    package func receiveInterim(_ status: HTTPStatus, _ fields: HTTPFields) {
        timing?.received(at: now)
        options.onEvent?(.interim(HTTPResponseHead(status: status, fields: fields)))
    }

    /// Bytes of a head arrived, or of what comes before a response.
    package func noteHeadBytes() {
        timing?.received(at: now)
    }

    /// The head of the final response is complete; `false` to give up.
    ///
    /// - Parameters:
    ///   - length: The declared length of the body.
    ///   - hasBody: Whether a body follows.
    package func receive(_ status: HTTPStatus, _ fields: HTTPFields, length: Int64?, hasBody: Bool) -> Bool {
        if timing?.isSuspended == true { resources?.services.note(.zero) }
        timing?.received(at: now)
        timing?.answered()
        state.receive()
        if let fault = reception.receive(status, fields, length: length, hasBody: hasBody, to: request) {
            return refuse(fault)
        }
        do throws(NetworkError) {
            sink = try openSink(for: status)
            return true
        } catch {
            return refuse(error.kind)
        }
    }

    private func openSink(for status: HTTPStatus) throws(NetworkError) -> BodySink {
        guard let resources else { return .none }
        switch request.delivery {
        case .streamed where !isUpgrade:
            return openStream(resources)
        case .file(let url) where status.isSuccessful:
            return .file(try FileWriter(url), url)
        case .buffered, .file, .streamed:
            return .buffer(BufferSink(reception.limits, expected: reception.plainLength, pool: resources.smallBuffers))
        }
    }

    private func openStream(_ resources: ExchangeResources) -> BodySink {
        let capacity = resources.streamBuffer
        let channel = BodyChannel(
            capacity: capacity,
            onDemand: { [self, mailbox = resources.mailbox] in mailbox.resumeReceiving(self) },
            onCancel: { [self, mailbox = resources.mailbox] in mailbox.cancel(self) })
        answer(with: HTTPBody(.incoming(IncomingBody(channel, length: reception.plainLength))))
        return .stream(StreamSink(channel, capacity: capacity, pool: resources.largeBuffers))
    }

    // MARK: The body

    /// Whether it takes bytes of the body now. If not, its connection holds them back until ``Carrier/resumeReceiving(_:)``.
    package var takesInput: Bool {
        if flow.offer() { return true }
        timing?.waits(for: .reader)
        return false
    }

    /// The most bytes to read for it at once.
    var readLimit: Int {
        // Of a coded body, what arrived is kept until it is decoded.
        if reception.isDecoded { return 32 << 10 }
        return if case .stream(let stream) = sink { max(stream.room, 16 << 10) } else { .max }
    }

    /// Takes a piece of the body, after ``takesInput``; `false` to give up.
    package func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard failure == nil else { return false }
        noteActivity(of: .reader)
        let length = reception.plainLength
        let fault = reception.receive(bytes) {
            resources?.services.hasTime == true ? room : 0
        } store: {
            store($0, $1, of: length)
        }
        noteDecoding(fault)
        if let fault { return refuse(fault) }
        if flow.holdsInput { resources?.services.advance(self) }
        return true
    }

    /// The result of a turn to decode.
    package enum Turn {
        case done
        /// Never again; ``Exchange/failure`` says why.
        case refused
        /// The next step takes too long for the loop. The decoder is left alone until ``BodyFlow/comeBack()``.
        case slow(ContentDecoder)
    }

    /// Decodes some of what has arrived, if that is next.
    package func decode() -> Turn {
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
        return fault.map { refuse($0) } ?? true ? .done : .refused
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

    private func store(_ bytes: UnsafeRawBufferPointer, _ total: Int64, of length: Int64?) -> NetworkError.Kind? {
        if let fault = store(bytes) { return fault }
        options.onEvent?(.received(total, total: length))
        return nil
    }

    /// Passes decoded bytes on. Returns why that failed, or `nil`.
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
                resources?.services.flushSoon(self)
            }
            stream.append(bytes)
            if stream.room == 0 { flow.isFull = true }
            return nil
        }
    }

    /// Hands what has arrived to the reader; whether it wants more immediately.
    package func flush() -> Bool {
        guard case .stream(let stream) = sink else { return false }
        stream.isFlushScheduled = false
        guard let demand = stream.flush() else { return false }
        flow.isFull = demand != .more
        return demand == .more
    }

    // MARK: Time

    /// Bytes moved on one of the caller's sides, or can again.
    package func noteActivity(of party: ExchangeTiming.Party) {
        if timing?.isSuspended == true {
            timing?.resumes(after: party, at: now)
            resources?.services.note(timing?.deadline)
        } else {
            timing?.resumes(after: party, at: now)
        }
    }

    /// What took too long; `nil` if bytes moved since.
    package func expiredStage(at now: LoopTime) -> NetworkError.Stage? {
        timing?.look(carrier?.acknowledgedBytes, at: now)
        return timing?.expired(at: now)
    }
}

extension Exchange {
    // MARK: The request's body

    /// Fills the buffer with bytes of the body; 0 bytes at its end.
    package func supply(_ buffer: UnsafeMutableRawBufferPointer) -> BodySource.Step {
        guard let source else { return .bytes(0) }
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
            if self.failure == nil { setFailure(failure) }
        }
        return step
    }

    /// Bytes of the request moved.
    func noteSent() {
        noteActivity(of: .source)
    }
}
#endif
