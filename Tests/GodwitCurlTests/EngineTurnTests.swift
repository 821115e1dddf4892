import CGodwitCurl
import Testing

@testable import GodwitCurl

@Suite("T2 The turn of an engine")
struct EngineTurnTests {
    private var isInTurn: Bool { godwit_turn_is_ours() != 0 }

    @Test("T2 a turn that is taken is not given again, not even to its own thread")
    func taken() {
        let turn = EngineTurn()
        #expect(turn.tryToBegin())
        #expect(isInTurn)
        #expect(!turn.tryToBegin())
        turn.end()
        #expect(!isInTurn)
        #expect(turn.tryToBegin())
        turn.end()
    }

    @Test("T2 a thread that takes another loop's turn within its own goes back to its own")
    func nested() {
        let (outer, inner) = (EngineTurn(), EngineTurn())
        outer.begin()
        #expect(inner.tryToBegin())
        inner.end()
        #expect(isInTurn)
        outer.end()
        #expect(!isInTurn)
    }
}
