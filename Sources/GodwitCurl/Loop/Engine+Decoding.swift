import CGodwitCurl

// Bodies that expand to more than their sink takes, or a turn has time for, are decoded piece by piece, and the exchanges take
// turns (decision 083).
extension Engine {
    func advance(_ exchange: Exchange) {
        switch exchange.flow.advance() {
        case .wait: break
        case .queue: undecoded.append(exchange)
        case .resume: resume(exchange, after: .reader)
        case .finish(let code): remove(exchange, outcome: code)
        }
    }

    /// Decodes a little of each body that waits for it, and again while the turn has time.
    func decodeWaiting() {
        guard !undecoded.isEmpty else { return }
        var count = 0
        repeat {
            decode(undecoded[count])
            count += 1
        } while count < undecoded.count && budget.hasTime(for: .decoding)
        undecoded.removeFirst(count)
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
            // Nobody else uses it until then.
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
