#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

// Requests that go out, and what comes in: HTTP/2 streams, large heads, bodies.
extension Engine {
    /// Learns how HTTP/2 streams end.
    func observeStreams() {
        godwit_observe_streams(
            { context, stream, end, goAway in
                guard let context, let stream else { return }
                let engine = Unmanaged<Engine>.fromOpaque(context).takeUnretainedValue()
                let goAway = goAway.map { Resending.GoAway(lastStream: $0.pointee.last_stream, code: $0.pointee.code) }
                engine.streams.exchange(of: stream, in: engine.connections.active)?.streamEnded(end, goAway)
            },
            { context, stream in
                guard let context, let stream else { return }
                Unmanaged<Engine>.fromOpaque(context).takeUnretainedValue().streams.begins(stream)
            },
            { context, count in
                guard let context else { return }
                let engine = Unmanaged<Engine>.fromOpaque(context).takeUnretainedValue()
                engine.connections.multis.limitStreams(to: Int(count))
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// libcurl is about to send a request on a connection; false to forbid it.
    func allowsSending(_ exchange: Exchange) -> Bool {
        if exchange.isWarmUp {
            exchange.noteWarmUp()
            return true
        }
        guard !exchange.meetsEndedConnection(), beginSending(exchange) else { return false }
        streams.sends(exchange)
        return true
    }

    /// Some of a request's header has gone out, and libcurl didn't ask before.
    func noteSending(_ exchange: Exchange) {
        if exchange.state.sendCount > 0 { exchange.noteActivity(of: .source) } else { _ = beginSending(exchange) }
    }

    private func beginSending(_ exchange: Exchange) -> Bool {
        guard exchange.maySend(), let handle = exchange.handle else { return false }
        let fault = connections.established(handle, for: exchange)
        if exchange.state.isProbe { starts.reached(exchange) }
        if let fault {
            if exchange.failure == nil { exchange.failure = exchange.error(fault, .connecting) }
            return false
        }
        exchange.noteSending()
        return true
    }

    /// What was read may be another part of the head, or more heads.
    func readLargeHeads() {
        for _ in 0..<Self.mostRounds {
            let due = streams.takeLargeHeads()
            if due.isEmpty { return }
            for handle in due where handle.exchange?.state.isReceiving == false { connections.read(on: handle) }
        }
    }

    private static let mostRounds = 64

    // MARK: Pauses

    func resumeReceiving(_ exchange: Exchange) {
        exchange.flow.isFull = false
        advance(exchange)
    }

    func resumeSending(_ exchange: Exchange) {
        resume(exchange, after: .source)
    }

    private func resume(_ exchange: Exchange, after party: ExchangeTiming.Party) {
        guard let handle = exchange.handle, !exchange.flow.hasEnded else { return }
        exchange.noteActivity(of: party)
        let code = handle.resume(receives: exchange.flow.source != .paused)
        // libcurl handed over what it had kept. If that was refused, nothing may follow what was lost.
        // Without a connection, as between two attempts, there is nothing to resume.
        let isGoingOn = code == CURLE_OK || code == CURLE_BAD_FUNCTION_ARGUMENT
        guard isGoingOn, exchange.failure == nil else { return remove(exchange, outcome: code) }
        ends.note(exchange.deadline)
    }

    // MARK: Bodies

    func flushReceivedBytes() {
        // An exchange that resumes delivers what libcurl held back, which must not wait while the loop sleeps.
        while case let due = streams.takeUnflushed(), !due.isEmpty {
            for exchange in due where exchange.flush() { advance(exchange) }
        }
    }

    /// Moves an exchange's body on.
    func advance(_ exchange: Exchange) {
        switch exchange.flow.advance() {
        case .wait: break
        case .queue: streams.noteUndecoded(exchange)
        case .resume: resume(exchange, after: .reader)
        case .finish(let code): remove(exchange, outcome: code)
        }
    }

    /// Decodes a little of each body that expands to more than its sink takes, or than a turn has time for, and again while the
    /// turn has time (decision 083).
    func decodeWaiting() {
        while let exchange = streams.nextUndecoded() {
            decode(exchange)
            guard budget.hasTime(for: .decoding) else { return }
        }
    }

    private func decode(_ exchange: Exchange) {
        // It may have been canceled meanwhile.
        guard exchange.isActive else { return }
        let turn = exchange.decode()
        perform(exchange.takeEffects(), of: exchange)
        switch turn {
        case .done: advance(exchange)
        case .refused: remove(exchange, outcome: CURLE_WRITE_ERROR)
        case .slow(let decoder):
            // No other thread uses it until then.
            nonisolated(unsafe) let decoder = decoder
            Task.detached { [loop] in
                decoder.prepare()
                loop.post(.decoded(exchange))
            }
        }
    }

    /// A long step was done on another thread.
    func decoded(_ exchange: Exchange) {
        guard exchange.isActive else { return }
        exchange.flow.comeBack()
        advance(exchange)
    }
}
#endif
