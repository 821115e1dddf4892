import GodwitTesting

/// Work that ends when the test says so. Each call is held by its number, from 1.
final class Gate: Sendable {
    private struct State {
        var begun = 0
        var ended = 0
        var cancelled = 0
        var open: Set<Int> = []
    }

    private let state = Watched(State())

    /// How many calls have begun.
    var begun: Int { state.value.begun }

    /// How many were canceled.
    var cancelled: Int { state.value.cancelled }

    /// Begins a call, and returns its number once it is let through. Throws when it is canceled.
    func pass() async throws -> Int {
        let number = state.update { state in
            state.begun += 1
            return state.begun
        }
        do {
            try await state.wait { $0.open.contains(number) }
        } catch {
            state.update { $0.cancelled += 1 }
            throw error
        }
        return number
    }

    /// The same, for work that does not notice that it is canceled.
    func passStubbornly() async -> Int {
        let task = Task { try await pass() }
        let number = (try? await task.value) ?? 0
        state.update { $0.ended += 1 }
        return number
    }

    func open(_ number: Int) {
        state.update { _ = $0.open.insert(number) }
    }

    func waitForBeginning(of number: Int) async throws {
        try await state.wait { $0.begun >= number }
    }

    func waitForCancellation(count: Int = 1) async throws {
        try await state.wait { $0.cancelled >= count }
    }

    func waitForEnd(count: Int) async throws {
        try await state.wait { $0.ended >= count }
    }
}
