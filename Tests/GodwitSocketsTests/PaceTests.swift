@testable import GodwitSockets
import Testing

@Suite("T25 whether a caller is alone, and is answered soon")
struct PaceTests {
    private let start = LoopTime.zero + 1_000_000_000

    /// What eight exchanges that were alone and answered soon, and then these, lead to.
    private func pace(after exchanges: (isAlone: Bool, microseconds: Int64)...) -> Pace {
        var pace = Pace()
        for (isAlone, microseconds) in Array(repeating: (true, 100), count: 8) + exchanges {
            pace.ended(isAlone: isAlone, from: start, to: start + microseconds * 1_000)
        }
        return pace
    }

    @Test("T25 seven exchanges say nothing, the eighth does")
    func enough() {
        var pace = Pace()
        for count in 1...9 {
            pace.ended(isAlone: true, from: start, to: start + 100_000)
            #expect(pace.isAlone == (count >= 8))
            #expect(pace.isSoon == (count >= 8))
        }
    }

    @Test("T25 one late answer ends the waiting, and one exchange beside another ends all of it")
    func ends() {
        #expect(pace(after: (true, 200)).isSoon)
        #expect(!pace(after: (true, 201)).isSoon)
        #expect(pace(after: (true, 201)).isAlone)
        #expect(!pace(after: (false, 100)).isSoon)
        #expect(!pace(after: (false, 100)).isAlone)
    }

    @Test("T25 the next caller is expected for 50 ms after an answer that came soon")
    func expects() {
        #expect(pace(after: (true, 150)).expectsCallers == start + 50_150_000)
        #expect(pace(after: (true, 201)).expectsCallers == nil)
        #expect(Pace().expectsCallers == nil)
    }
}
