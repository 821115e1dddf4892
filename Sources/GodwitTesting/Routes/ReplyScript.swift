import Synchronization

/// Answers in sequence, the last one repeated.
final class ReplyScript: Sendable {
    let responses: [MockResponse]
    private let count = Atomic(0)

    /// Takes at least one answer.
    init(_ responses: [MockResponse]) {
        self.responses = responses
    }

    /// The next answer, with its values encoded as the request's API does.
    func next(for request: MockRequest) -> MockResponse {
        let index = count.wrappingAdd(1, ordering: .relaxed).oldValue
        return responses[min(index, responses.count - 1)].resolved(by: request.coding)
    }
}
