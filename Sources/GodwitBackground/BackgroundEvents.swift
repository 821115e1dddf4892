public import GodwitCore

/// The events of a ``BackgroundSession``: those that are not acknowledged, then each as it happens.
///
/// One loop is told an event once. Each new loop begins with what is not acknowledged by then. Ends with
/// ``BackgroundSession/finish()``, or when the task is cancelled.
public struct BackgroundEvents: AsyncSequence, Sendable {
    public typealias Element = BackgroundEvent
    public typealias Failure = NetworkError

    private let link: any TransferLink

    init(_ link: any TransferLink) {
        self.link = link
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(following: link.following())
    }

    /// Reads the events one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let following: any TransferFollowing

        fileprivate init(following: any TransferFollowing) {
            self.following = following
        }

        /// The next event; nil at the end.
        ///
        /// Throws what ``BackgroundSession/jobs()`` throws.
        public mutating func next() async throws(NetworkError) -> BackgroundEvent? {
            try await following.next()
        }

        /// The same, for whichever actor asks.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> BackgroundEvent? {
            try await following.next()
        }
    }
}
