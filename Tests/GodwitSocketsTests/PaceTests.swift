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

    @Test("T25 after 40 answers that callers may have waited for, one is left to the loop")
    func oneIsLeft() {
        var pace = Pace()
        let waits = (1...100).map { _ in
            pace.ended(isAlone: true, from: start, to: start + 100_000)
            return pace.isSoon
        }
        let left = waits.indices.dropFirst(7).filter { !waits[$0] }
        #expect(left == [40, 74])
    }

    @Test("T25 after an exchange next to another one, a caller waits again once 128 were alone")
    func afterCompany() {
        var pace = pace(after: (false, 100))
        for count in 1...128 {
            pace.ended(isAlone: true, from: start, to: start + 100_000)
            #expect(pace.isAlone == (count >= 8))
            #expect(pace.isSoon == (count == 128))
        }
        // A late answer doesn't shorten that.
        pace = self.pace(after: (false, 100), (true, 300))
        for _ in 1...127 { pace.ended(isAlone: true, from: start, to: start + 100_000) }
        #expect(!pace.isSoon)
    }

    @Test("T25 the next caller is expected for 50 ms after an answer that came soon")
    func expects() {
        #expect(pace(after: (true, 150)).expectsCallers == start + 50_150_000)
        #expect(pace(after: (true, 201)).expectsCallers == nil)
        #expect(Pace().expectsCallers == nil)
    }
}
