import Testing

@testable import GodwitSockets

@Suite("How a body moves from its connection to its reader")
struct BodyFlowTests {
    /// A flow in a state that it can reach.
    private func flow(_ decoding: BodyFlow.Decoding, _ source: BodyFlow.Source, isFull: Bool) -> BodyFlow {
        var flow = BodyFlow()
        flow.decoded(hasInput: decoding != .idle)
        if decoding == .queued { _ = flow.advance() }
        if decoding == .away { flow.sendAway() }
        switch source {
        case .open: break
        case .paused:
            flow.isFull = true
            _ = flow.offer()
        case .ended: flow.end()
        }
        flow.isFull = isFull
        #expect(flow.decoding == decoding && flow.source == source)
        return flow
    }

    @Test(
        "S5 what follows depends on the input that is left, on the connection, and on the sink's room",
        arguments: [
            (BodyFlow.Decoding.idle, [.wait, .resume, .finish], [.wait, .wait, .finish]),
            (.waiting, [.queue, .queue, .queue], [.wait, .wait, .wait]),
            (.queued, [.wait, .wait, .wait], [.wait, .wait, .wait]),
            (.away, [.wait, .wait, .wait], [.wait, .wait, .wait]),
        ] as [(BodyFlow.Decoding, [BodyFlow.Step], [BodyFlow.Step])])
    func table(_ decoding: BodyFlow.Decoding, _ withRoom: [BodyFlow.Step], _ full: [BodyFlow.Step]) {
        for (index, source) in [BodyFlow.Source.open, .paused, .ended].enumerated() {
            for (isFull, expected) in [(false, withRoom[index]), (true, full[index])] {
                var flow = flow(decoding, source, isFull: isFull)
                #expect(flow.advance() == expected, "\(decoding) \(source) \(isFull)")
                // Said once: a second look says nothing new, apart from the end.
                #expect(flow.advance() == (expected == .finish ? expected : .wait))
            }
        }
    }

    @Test("S5 the connection's bytes are taken only if the last ones are decoded and the sink has room")
    func offers() {
        for decoding in [BodyFlow.Decoding.idle, .waiting, .queued, .away] {
            for isFull in [false, true] {
                var flow = flow(decoding, .open, isFull: isFull)
                let isTaken = flow.offer()
                #expect(isTaken == (decoding == .idle && !isFull))
                #expect(flow.source == (isTaken ? .open : .paused))
                var ended = self.flow(decoding, .ended, isFull: isFull)
                #expect(ended.offer() == false)
                #expect(ended.hasEnded)
            }
        }
    }

    @Test("S5 a turn decodes only what was queued for it, and nothing while the sink is full")
    func turns() {
        for isFull in [false, true] {
            var queued = flow(.queued, .paused, isFull: isFull)
            #expect(queued.takeTurn() == !isFull)
            #expect(queued.decoding == .waiting)
            var waiting = flow(.waiting, .paused, isFull: isFull)
            #expect(waiting.takeTurn() == false)
            var away = flow(.away, .paused, isFull: isFull)
            #expect(away.takeTurn() == false)
            away.comeBack()
            #expect(away.advance() == (isFull ? .wait : .queue))
            var idle = flow(.idle, .paused, isFull: isFull)
            #expect(idle.takeTurn() == false)
        }
    }

    @Test("S5 an exchange outlives its connection while there is input to decode")
    func end() {
        var idle = flow(.idle, .open, isFull: true)
        idle.end()
        #expect(idle.advance() == .finish)
        var waiting = flow(.waiting, .open, isFull: true)
        waiting.end()
        #expect(waiting.holdsInput && waiting.advance() == .wait)
        waiting.isFull = false
        #expect(waiting.advance() == .queue)
        #expect(waiting.takeTurn() == true)
        waiting.decoded(hasInput: false)
        #expect(waiting.advance() == .finish)
    }
}
