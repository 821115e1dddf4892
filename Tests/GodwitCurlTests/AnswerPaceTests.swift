import Testing

@testable import GodwitCurl
import GodwitSockets

@Suite("T2 How soon answers come")
struct AnswerPaceTests {
    private enum Step {
        /// An exchange that is alone, and ends after so many microseconds.
        case exchange(Int64)
        /// An exchange that starts while another is under way, and one of them ends.
        case overlap
        case missed
    }

    private func pace(after steps: [Step]) -> AnswerPace {
        var pace = AnswerPace(soon: 200_000)
        var now = LoopTime.zero
        for step in steps {
            switch step {
            case .exchange(let duration):
                pace.started(at: now, isAlone: true)
                now = now + duration * 1000
                pace.ended(at: now)
            case .overlap:
                pace.started(at: now, isAlone: true)
                pace.started(at: now, isAlone: false)
                pace.ended(at: now)
            case .missed: pace.missed()
            }
        }
        return pace
    }

    @Test("T2 eight answers in a row within 200 µs make a caller wait for the next one")
    func soon() {
        for count in 0..<8 { #expect(!pace(after: Array(repeating: .exchange(200), count: count)).isQuick) }
        #expect(pace(after: Array(repeating: .exchange(200), count: 8)).isQuick)
        #expect(pace(after: Array(repeating: .exchange(1), count: 1000)).isQuick)
    }

    @Test(
        "T2 a late answer, one that was missed, and exchanges that overlap need eight again",
        arguments: [[Step.exchange(201)], [.missed], [.overlap], [.missed, .exchange(1)]])
    private func late(_ steps: [Step]) {
        let soon = Array(repeating: Step.exchange(50), count: 8)
        #expect(!pace(after: soon + steps).isQuick)
        #expect(!pace(after: soon + steps + soon.dropLast(2)).isQuick)
        #expect(pace(after: soon + steps + soon).isQuick)
    }

    @Test("T2 an exchange that ends after it was missed doesn't count")
    func missed() {
        var pace = pace(after: Array(repeating: .exchange(50), count: 8))
        pace.started(at: .zero, isAlone: true)
        pace.missed()
        for _ in 0..<8 { pace.ended(at: .zero) }
        #expect(!pace.isQuick)
    }
}
