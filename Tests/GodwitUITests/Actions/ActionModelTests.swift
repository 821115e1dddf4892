import GodwitCore
import GodwitTesting
import GodwitUI
import Testing

@Suite("V2 action model", .timeLimit(.minutes(15)))
@MainActor
struct ActionModelTests {
    private let gate = Gate()

    @Test("V2 a double tap runs the action once, with the first input")
    func doubleTap() async throws {
        let action = ActionModel { [gate] (name: String) in "\(name)\(try await gate.pass())" }
        let history = History { action.isRunning }
        action.start("a")
        action.start("b")
        #expect(action.isRunning)
        #expect(await action.run("c") == nil)
        try await gate.waitForBeginning(of: 1)
        gate.open(1)
        await until { !action.isRunning }
        #expect(action.state.value == "a1")
        #expect(gate.begun == 1)
        history.catchUp()
        #expect(history.values == [false, true, false])
    }

    @Test("V2 run returns what the action came to, and not what another run came to")
    func runs() async throws {
        let action = ActionModel { [gate] in try await gate.pass() }
        gate.open(1)
        gate.open(2)
        #expect(await action.run() == 1)
        #expect(await action.run() == 2)
        #expect(action.state.isLoaded)
        let third = Task { await action.run() }
        try await gate.waitForBeginning(of: 3)
        third.cancel()
        #expect(await third.value == nil)
        #expect(!action.state.isLoaded)
    }

    @Test("V2 a run that was replaced by another one returns nil, and not the result of that one")
    func overlap() async throws {
        let action = ActionModel { [gate] (name: String) in "\(name)\(await gate.passStubbornly())" }
        let first = Task { await action.run("a") }
        try await gate.waitForBeginning(of: 1)
        // The task that waits for the first run continues when the second one has begun.
        action.reset()
        action.start("b")
        try await gate.waitForBeginning(of: 2)
        gate.open(2)
        await until { !action.isRunning }
        #expect(await first.value == nil)
        gate.open(1)
        try await gate.waitForEnd(count: 2)
        #expect(action.state.value == "b2")
    }

    @Test("V2 a failure is reported, and reset forgets it")
    func failure() async {
        let action = ActionModel<Void, Int> { throw NetworkError(.forbidden, phase: .validating) }
        #expect(await action.run() == nil)
        #expect(action.error?.kind == .forbidden)
        action.reset()
        #expect(action.error == nil)
    }

    @Test("V2 canceling isn't an error: by the screen's task, and by cancel()")
    func cancelling() async throws {
        let action = ActionModel { [gate] in try await gate.pass() }
        let task = Task { await action.run() }
        try await gate.waitForBeginning(of: 1)
        task.cancel()
        #expect(await task.value == nil)
        #expect("\(action.state)" == "idle")
        action.start()
        try await gate.waitForBeginning(of: 2)
        action.cancel()
        #expect("\(action.state)" == "idle")
        try await gate.waitForCancellation(count: 2)
        let waited = Task { await action.run() }
        try await gate.waitForBeginning(of: 3)
        action.cancel()
        #expect("\(action.state)" == "idle")
        #expect(await waited.value == nil)
        try await gate.waitForCancellation(count: 3)
    }
}
