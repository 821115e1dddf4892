import CGodwitCurl
import GodwitCore

extension Exchange {
    /// What libcurl's write function answers.
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

    /// Takes a piece of the content.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Intake {
        guard failure == nil else { return .refused }
        if case .stream(let stream) = sink, stream.isFull {
            stream.isHoldingBack = true
            noteWaiting(for: .reader)
            return .pause
        }
        noteActivity(of: .reader)
        encodedBytes += Int64(bytes.count)
        if let limit = options.responseLimit.encoded, encodedBytes > limit {
            return refused(.tooLarge(limit: limit))
        }
        return decode(bytes) ? .taken : .refused
    }

    private func receive(_ head: ResponseHead) -> Bool {
        guard !failsExpectation(head.status) else { return false }
        self.head = head
        noteAnswer()
        // Such a message may end where an attacker wants: its connection is not used again (RFC 9112 section 6.3).
        if head.isFramedTwice { handle?.closeConnectionAfterwards() }
        let hasContent = request.method != .head && !head.status.forbidsContent
        if hasContent, let codings = head.contentEncoding, isDecoded(head) {
            if let fault = ContentCodings(codings).fault { return refuse(.invalidResponse(reason: fault)) }
            decoder = ContentDecoder(codings: codings)
        }
        if hasContent, head.isDelimitedByEnd { watchEnd() }
        if let limit = declaredExcess(hasContent) { return refuse(.tooLarge(limit: limit)) }
        do throws(NetworkError) {
            sink = try openSink(for: head)
            return true
        } catch {
            failure = self.error(error.kind)
            return false
        }
    }

    /// Of a refused upgrade only the beginning is read.
    private func watchEnd() {
        guard let handle, upgraded == nil, request.url.scheme == .https, handle.usesHTTP1 else { return }
        tlsEnd = TLSEnd(of: handle.pointer)
    }

    /// Who asks for codings gets them; and a part of a coded representation cannot be decoded by itself.
    private func isDecoded(_ head: ResponseHead) -> Bool {
        !request.fields.contains(.acceptEncoding) && head.status != .partialContent
    }

    /// A declared length beyond the limit need not be read to be refused.
    private func declaredExcess(_ hasContent: Bool) -> Int64? {
        guard hasContent, let contentLength = head?.contentLength else { return nil }
        let limits = options.responseLimit
        if let limit = limits.encoded, contentLength > limit { return limit }
        guard decoder == nil else { return nil }
        if let limit = limits.decoded, contentLength > limit { return limit }
        if case .buffered(let limit) = request.delivery, contentLength > limit { return Int64(limit) }
        return nil
    }

    private func openSink(for head: ResponseHead) throws(NetworkError) -> BodySink {
        guard let engine else { return .none }
        switch request.delivery {
        case .streamed:
            return openStream(on: engine)
        case .file(let url) where head.status.isSuccessful:
            return .file(try FileWriter(url), url)
        case .buffered, .file:
            return .buffer(BufferSink(limit: bufferLimit, expected: plainLength, pool: engine.smallBuffers))
        }
    }

    private func openStream(on engine: Engine) -> BodySink {
        let capacity = engine.configuration.streamBuffer
        let channel = BodyChannel(
            capacity: capacity,
            onDemand: { [self, loop = engine.loop] in loop.post(.resumeReceiving(self)) },
            onCancel: { [self, loop = engine.loop] in loop.post(.cancel(self)) })
        answer(with: HTTPBody(.incoming(IncomingBody(channel, length: plainLength))))
        return .stream(StreamSink(channel, capacity: capacity, pool: engine.largeBuffers))
    }

    private func decode(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let decoder else { return deliver(bytes) }
        do throws(DecodingFault) {
            try decoder.decode(bytes) { deliver($0) }
            return true
        } catch {
            if case .corrupt(let reason) = error { return refuse(.invalidResponse(reason: reason)) }
            return false
        }
    }

    /// Passes decoded content on; false to give up.
    private func deliver(_ bytes: UnsafeRawBufferPointer) -> Bool {
        decodedBytes += Int64(bytes.count)
        if let limit = options.responseLimit.decoded, decodedBytes > limit {
            return refuse(.tooLarge(limit: limit))
        }
        guard store(bytes) else { return false }
        options.onEvent?(.received(decodedBytes, total: plainLength))
        return true
    }

    /// The length of the content as it is handed over; nil where it is not known.
    private var plainLength: Int64? { decoder == nil ? head?.contentLength : nil }

    private func store(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch sink {
        case .none:
            return true
        case .buffer(var buffer):
            // Moved out and back in, so that growing never copies the struct's buffer reference count.
            sink = .none
            let fits = buffer.append(bytes)
            sink = .buffer(buffer)
            return fits || refuse(.tooLarge(limit: Int64(bufferLimit)))
        case .file(let file, _):
            return write(bytes, to: file)
        case .stream(let stream):
            scheduleFlush(of: stream)
            stream.append(bytes)
            return true
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to file: FileWriter) -> Bool {
        do throws(NetworkError) {
            try file.write(bytes)
            return true
        } catch {
            failure = self.error(error.kind)
            return false
        }
    }

    private func scheduleFlush(of stream: StreamSink) {
        guard !stream.isFlushScheduled else { return }
        stream.isFlushScheduled = true
        engine?.needsFlush(self)
    }

    private var bufferLimit: Int {
        if case .buffered(let limit) = request.delivery { return limit }
        return Delivery.defaultBufferLimit
    }

    private func refused(_ kind: NetworkError.Kind) -> Intake {
        _ = refuse(kind)
        return .refused
    }

    /// The first reason to give up is the one that counts.
    private func refuse(_ kind: NetworkError.Kind) -> Bool {
        if failure == nil { failure = error(kind) }
        return false
    }
}
