import CGodwitCurl
import GodwitCore

// Requests that failed to be sent, and what is known about them.
extension Engine {
    /// Learns how HTTP/2 streams of this thread end.
    func observeStreams() {
        godwit_observe_streams(
            { context, stream, end, goAway in
                guard let context else { return }
                let goAway = goAway?.pointee
                Unmanaged<Engine>.fromOpaque(context).takeUnretainedValue().streamEnded(
                    stream, end, goAway.map { Resending.GoAway(lastStream: $0.last_stream, code: $0.code) })
            },
            { context, stream in
                guard let context, let stream else { return }
                Unmanaged<Engine>.fromOpaque(context).takeUnretainedValue().streamStarts(stream)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// libcurl is about to send a request on a connection; false to forbid it.
    func allowsSending(_ exchange: Exchange) -> Bool {
        if exchange.isWarmUp {
            exchange.noteWarmUp()
            return true
        }
        guard !exchange.meetsEndedConnection(), beginSending(exchange) else { return false }
        forgetStream(of: exchange)
        // Its stream is the next that libcurl makes.
        if !configuration.features.namesStreamsByHandle { sending = exchange }
        return true
    }

    /// Some of a request's header has gone out, and libcurl didn't ask before.
    func noteSending(_ exchange: Exchange) {
        if exchange.state.sendCount > 0 { exchange.noteActivity(of: .source) } else { _ = beginSending(exchange) }
    }

    private func beginSending(_ exchange: Exchange) -> Bool {
        guard exchange.maySend(), let handle = exchange.handle else { return false }
        let fault = settleVersion(exchange, on: races.established(handle))
        if exchange.state.isProbe { starts.reached(exchange) }
        if let fault {
            if exchange.failure == nil { exchange.failure = exchange.error(fault, .connecting) }
            return false
        }
        exchange.noteSending()
        return true
    }

    /// libcurl makes a stream with this data, which may have been another's that ended with its connection.
    private func streamStarts(_ stream: UnsafeRawPointer) {
        streams.removeValue(forKey: stream)?.stream = nil
        guard let exchange = sending else { return }
        sending = nil
        streams[stream] = exchange
        exchange.stream = stream
    }

    func forgetStream(of exchange: Exchange) {
        guard let stream = exchange.stream else { return }
        exchange.stream = nil
        streams[stream] = nil
    }

    /// Searches for the stream, which may belong to another user of libcurl. This is rare.
    private func streamEnded(
        _ stream: UnsafeRawPointer?, _ end: godwit_stream_end, _ goAway: Resending.GoAway?
    ) {
        guard let stream else { return }
        let exchange =
            configuration.features.namesStreamsByHandle
            ? active.first { $0.handle.map { UnsafeRawPointer($0.pointer) } == stream } : streams[stream]
        exchange?.streamEnded(end, goAway)
    }

    /// Notes how a connection ended that is about to be closed, for an exchange that awaits a response on it.
    func noteClosing(of descriptor: Int32) {
        var end = godwit_connection_end()
        guard godwit_get_connection_end(descriptor, &end) == 0, end.local_port > 0 else { return }
        let port = Int(end.local_port)
        guard poller[descriptor]?.sharing == .exclusive, end.unacknowledged > 0,
            end.is_ended_by_peer != 0 || end.is_reset != 0,
            active.count <= Self.mostSearched
        else { return }
        // Two connections to different servers may have the same port: then it is unknown whose this was.
        let concerned = active.filter { $0.awaitsResponse(on: port) }
        guard concerned.count == 1 else { return }
        concerned[0].connectionCloses(
            isEndedByPeer: end.is_ended_by_peer != 0, isReset: end.is_reset != 0, unacknowledged: end.unacknowledged)
    }

    /// With more exchanges than this the search would hold up the loop. Whether a request was read is then unknown.
    private static let mostSearched = 2_000

    /// Ends a shared connection that failed as a whole. libcurl 7.88 would keep it, and the next request on it would hang.
    func abandonConnection(of handle: EasyHandle) {
        let port = handle.localPort
        guard port > 0, let descriptor = poller.connection(from: Int32(clamping: port)),
            poller[descriptor]?.sharing != .exclusive
        else { return }
        poller.end(descriptor)
        upkeep.requestPrune(at: now)
    }

    func noteLargeHead(of handle: EasyHandle) {
        if largeHeads.last !== handle { largeHeads.append(handle) }
    }

    /// libcurl 7.88 hands over 16 KiB of an HTTP/2 head, the size of its buffer, and the rest only at the next event of the
    /// socket, which may never come.
    func readLargeHeads() {
        for _ in 0..<Self.mostRounds where !largeHeads.isEmpty {
            let due = largeHeads
            largeHeads.removeAll(keepingCapacity: true)
            for handle in due where handle.exchange?.state.isReceiving == false {
                let port = Int32(clamping: handle.localPort)
                guard port > 0, let descriptor = poller.connection(from: port) else { continue }
                owner(of: descriptor).act(on: descriptor, CURL_CSELECT_IN)
            }
        }
    }

    private static let mostRounds = 64

    /// Whether an exchange is not over although its transfer ended, as libcurl has it again.
    func continues(_ exchange: Exchange, after code: CURLcode) -> Bool {
        guard let handle = exchange.handle else { return false }
        if code != CURLE_OK, choosesVersionAgain(exchange) {
            owner(of: handle).remove(handle)
            return handle.prepare(for: exchange) && multi.add(handle)
        }
        switch exchange.transferEnded(code) {
        case .finish, .fail:
            return false
        case .connectElsewhere:
            owner(of: handle).remove(handle)
            handle.useNewConnection()
            return multi.add(handle)
        case .makeRoom:
            guard makeRoom() else {
                exchange.failure = exchange.error(.transport(.tooManyOpenFiles), .connecting)
                return false
            }
            owner(of: handle).remove(handle)
            return multi.add(handle)
        case .sendAgain:
            owner(of: handle).remove(handle)
            handle.keepConnectionAfterwards()
            chooseVersion(for: exchange)
            guard handle.prepare(for: exchange), multi.add(handle) else { return false }
            note(exchange.deadline)
            return true
        }
    }
}
