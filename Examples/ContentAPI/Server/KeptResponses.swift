import Godwit
import GodwitTesting
import Synchronization

/// The responses to unsafe requests with an `Idempotency-Key`, for clients that repeat a request whose response was lost.
///
/// A repeated request gets the same response, also while the first one is being processed. Refusals aren't kept: they
/// changed nothing.
nonisolated final class KeptResponses: Sendable {
    private struct State {
        var responses: [String: Task<Result<MockResponse, Problem>, Never>] = [:]
        var order: [String] = []
    }

    /// Maximum responses kept; the oldest ones are forgotten.
    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int = 1000) {
        self.limit = limit
    }

    /// The kept response to a request, or else that of the handler.
    func response(
        to request: MockRequest, _ handler: @escaping @Sendable (MockRequest) async throws(Problem) -> MockResponse
    ) async throws(Problem) -> MockResponse {
        guard let key = request.fields["Idempotency-Key"] else { return try await handler(request) }
        // Of this request alone: another one, or another user, may have chosen the same key.
        let name = "\(request.fields[.authorization] ?? "") \(request.method) \(request.path) \(key)"
        let task = task(name) {
            do throws(Problem) { return .success(try await handler(request)) } catch { return .failure(error) }
        }
        let result = await task.value
        if case .failure = result { forget(name) }
        return try result.get()
    }

    private func task(
        _ name: String, _ work: @escaping @Sendable () async -> Result<MockResponse, Problem>
    ) -> Task<Result<MockResponse, Problem>, Never> {
        state.withLock { state in
            if let task = state.responses[name] { return task }
            if state.order.count >= limit { state.responses[state.order.removeFirst()] = nil }
            state.order.append(name)
            let task = Task { await work() }
            state.responses[name] = task
            return task
        }
    }

    private func forget(_ name: String) {
        state.withLock { state in
            guard state.responses.removeValue(forKey: name) != nil else { return }
            state.order.removeAll { $0 == name }
        }
    }
}
