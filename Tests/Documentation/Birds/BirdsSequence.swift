import Godwit

/// Elements as an asynchronous sequence, for mocks of streams and lists.
nonisolated struct BirdsSequence<Element: Sendable>: AsyncSequence, Sendable {
    private let elements: [Element]
    private let error: NetworkError?

    /// - Parameter error: Thrown after the last element; `nil` to end without an error.
    init(_ elements: [Element], error: NetworkError? = nil) {
        self.elements = elements
        self.error = error
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(elements: elements.makeIterator(), error: error)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var elements: IndexingIterator<[Element]>
        fileprivate let error: NetworkError?

        mutating func next() async throws(NetworkError) -> Element? {
            try advance()
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Element? {
            try advance()
        }

        private mutating func advance() throws(NetworkError) -> Element? {
            if let element = elements.next() { return element }
            if let error { throw error }
            return nil
        }
    }
}
