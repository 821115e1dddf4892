@testable import GodwitCore
import Testing

@Suite("A6 which generation of an account is current")
struct AccountRecordTests {
    enum Step: Sendable {
        case advance, settle
        case keep(UInt64, Bool)
        case end(UInt64)
    }

    struct Script: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]
        let generation: UInt64
        let isChanging: Bool
        let isDrained: Bool
    }

    static let scripts = [
        Script(testDescription: "new", steps: [], generation: 1, isChanging: false, isDrained: true),
        Script(
            testDescription: "a call of the generation stores", steps: [.keep(1, true)], generation: 1,
            isChanging: false, isDrained: true),
        Script(
            testDescription: "a change waits for it", steps: [.keep(1, true), .advance], generation: 2,
            isChanging: true, isDrained: false),
        Script(
            testDescription: "a change begins once it is done", steps: [.keep(1, true), .advance, .end(1)],
            generation: 2, isChanging: true, isDrained: true),
        Script(
            testDescription: "a call of a former generation stores nothing", steps: [.advance, .keep(1, false)],
            generation: 2, isChanging: true, isDrained: true),
        Script(
            testDescription: "the change is over", steps: [.advance, .settle, .keep(1, false), .keep(2, true)],
            generation: 2, isChanging: false, isDrained: true),
        Script(
            testDescription: "two changes are over when both are", steps: [.advance, .advance, .settle],
            generation: 3, isChanging: true, isDrained: true),
        Script(
            testDescription: "the second waits for calls of both",
            steps: [.keep(1, true), .advance, .settle, .keep(2, true), .advance, .end(1)],
            generation: 3, isChanging: true, isDrained: false),
        Script(
            testDescription: "until both are done",
            steps: [.keep(1, true), .advance, .settle, .keep(2, true), .advance, .end(1), .end(2)],
            generation: 3, isChanging: true, isDrained: true),
    ]

    @Test(
        "A6 only calls of the current generation may store; former data can be removed once no call stores any more",
        arguments: scripts)
    func steps(_ script: Script) {
        var record = AccountRecord()
        for step in script.steps {
            switch step {
            case .advance: record.advance()
            case .settle: record.settle()
            case .keep(let generation, let allowed): #expect(record.beginKeeping(in: generation) == allowed)
            case .end(let generation): record.endKeeping(in: generation)
            }
        }
        #expect(record.generation == script.generation)
        #expect(record.isChanging == script.isChanging)
        #expect(record.isDrained == script.isDrained)
        #expect(AccountRecord.generation(record.mark) == script.generation)
        #expect(AccountRecord.isChanging(record.mark) == script.isChanging)
    }
}
