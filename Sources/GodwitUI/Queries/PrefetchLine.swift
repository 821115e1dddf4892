/// The values that wait to be prefetched, in order.
@MainActor
final class PrefetchLine {
    /// How many values are prefetched at the same time.
    private static let concurrency = 4

    private var waiting: [@MainActor () async -> Void] = []
    private var running = 0

    func add(_ load: @escaping @MainActor () async -> Void) {
        waiting.append(load)
        startNext()
    }

    private func startNext() {
        guard running < Self.concurrency, !waiting.isEmpty else { return }
        running += 1
        let load = waiting.removeFirst()
        Task {
            await load()
            running -= 1
            startNext()
        }
    }
}
