import GodwitTesting
import Testing

@Suite("X5 Watched: waiting for a value", .timeLimit(.minutes(15)))
struct WatchedTests {
    @Test("X5 a met condition returns immediately, even if the task is canceled")
    func holds() async throws {
        let value = Watched(1)
        try await value.wait { $0 == 1 }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await value.wait { $0 == 1 }
        }
        try await task.value
    }

    @Test("X5 a change resumes only the tasks whose condition is met")
    func selective() async throws {
        let value = Watched(0)
        let reached = Watched<[Int]>([])
        let tasks = (1...3).map { goal in
            Task {
                try await value.wait { $0 >= goal }
                reached.update { $0.append(goal) }
            }
        }
        value.update { $0 = 2 }
        try await reached.wait { $0.count == 2 }
        #expect(reached.value.sorted() == [1, 2])
        value.update { $0 = 3 }
        for task in tasks { try await task.value }
        #expect(reached.value.count == 3)
    }

    @Test("X5 a canceled wait throws, before it starts and during it")
    func cancelled() async throws {
        let value = Watched(0)
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await value.wait { $0 == 1 }
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        let late = Task { try await value.wait { $0 == 1 } }
        await Task.yield()
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Test("X5 a thousand concurrent waits, changes and cancellations all end")
    func storm() async {
        let value = Watched(0)
        let tasks = (1...1000).map { number in
            Task {
                if number.isMultiple(of: 2) { value.update { $0 += 1 } }
                try await value.wait { $0 >= 500 }
            }
        }
        for task in tasks.shuffled().prefix(300) { task.cancel() }
        for task in tasks { _ = await task.result }
        #expect(value.value == 500)
    }
}
