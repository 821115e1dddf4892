/// The current ``NetworkPath``, then its changes.
///
/// Keeps its monitor running as long as it is held.
public struct NetworkPaths: AsyncSequence, Sendable {
    public typealias Element = NetworkPath
    public typealias Failure = Never

    private let feed: PathFeed
    private let monitor: (any AnyObject & Sendable)?

    /// - Parameter monitor: What the feed is fed by, and must not be let go of while it is read.
    init(_ feed: PathFeed, of monitor: (any AnyObject & Sendable)? = nil) {
        self.feed = feed
        self.monitor = monitor
    }

    /// Starts with the current path.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(feed: feed, monitor: monitor)
    }

    /// Reads the paths one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let feed: PathFeed
        fileprivate let monitor: (any AnyObject & Sendable)?
        private var seen: UInt64?

        fileprivate init(feed: PathFeed, monitor: (any AnyObject & Sendable)?) {
            self.feed = feed
            self.monitor = monitor
        }

        /// The next path; nil once the monitor has stopped or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> NetworkPath? {
            guard let (path, version) = await feed.path(after: seen, isolation: actor) else { return nil }
            seen = version
            return path
        }

        public mutating func next() async -> NetworkPath? {
            await next(isolation: nil)
        }
    }
}
