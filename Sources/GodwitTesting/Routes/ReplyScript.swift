import Synchronization

/// Answers in sequence, the last one repeated.
final class ReplyScript: Sendable {
    private let responses: [MockResponse]
    private let count = Atomic(0)

    /// Takes at least one answer.
    init(_ responses: [MockResponse]) {
        self.responses = responses
    }

    func next() -> MockResponse {
        let index = count.wrappingAdd(1, ordering: .relaxed).oldValue
        return responses[min(index, responses.count - 1)]
    }
}
