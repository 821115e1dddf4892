import GodwitCore
import GodwitTesting
import GodwitUI
import Testing

@Suite("V1 keyed loader", .timeLimit(.minutes(15)))
@MainActor
struct KeyedLoaderTests {
    private let gate = Gate()

    private func makeLoader() -> KeyedLoader<String, String> {
        KeyedLoader { [gate] key in "\(key)\(try await gate.pass())" }
    }

    @Test("V1 another key drops the value of the one before and ends its request, as .task(id:) does")
    func anotherKey() async throws {
        let loader = makeLoader()
        let history = History { loader.value }
        gate.open(1)
        await loader.load("a")
        #expect(loader.value == "a1")
        let second = Task { await loader.load("b") }
        try await gate.waitForBeginning(of: 2)
        #expect(loader.value == nil)
        #expect(loader.key == "b")
        #expect(loader.state(of: "b").isLoading)
        #expect("\(loader.state(of: "a"))" == "idle")
        // SwiftUI cancels the task of the former id and starts one for the new.
        second.cancel()
        let third = Task { await loader.load("c") }
        try await gate.waitForCancellation()
        try await gate.waitForBeginning(of: 3)
        gate.open(3)
        await third.value
        await second.value
        #expect(loader.value == "c3")
        history.catchUp()
        #expect(history.values == ["a1", nil, "c3"] || history.values == [nil, "a1", nil, "c3"])
    }

    @Test("V1 the same key is not loaded twice, unless it is refreshed")
    func sameKey() async {
        let loader = makeLoader()
        gate.open(1)
        gate.open(2)
        await loader.refresh()
        #expect(gate.begun == 0)
        await loader.load("a")
        await loader.load("a")
        #expect(gate.begun == 1)
        await loader.refresh()
        #expect(loader.value == "a2")
    }

    @Test("V1 a failed key is tried again; a canceled one goes back to idle")
    func retry() async throws {
        let fails = Watched(true)
        let loader = KeyedLoader<Int, Int> { [gate] key in
            if fails.value { throw NetworkError(.notFound, phase: .validating) }
            return key * (try await gate.pass())
        }
        await loader.load(7)
        #expect(loader.state.error?.kind == .notFound)
        fails.update { $0 = false }
        let task = Task { await loader.retry() }
        try await gate.waitForBeginning(of: 1)
        gate.open(1)
        await task.value
        #expect(loader.value == 7)
        let other = Task { await loader.load(8) }
        try await gate.waitForBeginning(of: 2)
        loader.cancel()
        await other.value
        #expect(loader.value == nil)
        #expect(!loader.state.isLoading)
    }
}
