/// The progress of a transfer: the latest there is, whenever the loop asks for more; ends with the transfer.
///
/// ```swift
/// for await progress in download.progress { bar.value = progress.fraction }
/// ```
///
/// A slow loop misses steps and delays nothing. Any number of loops may run, each sees the last progress there is.
public struct ProgressUpdates: AsyncSequence, Sendable {
    public typealias Element = TransferProgress
    public typealias Failure = Never

    private let board: ProgressBoard

    package init(_ board: ProgressBoard) {
        self.board = board
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(board: board)
    }

    /// Waits for one progress after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let board: ProgressBoard
        private var seen = 0

        fileprivate init(board: ProgressBoard) {
            self.board = board
        }

        /// The latest progress, once there is a new one; nil at the end of the transfer or when the task is cancelled.
        public mutating func next() async -> TransferProgress? {
            guard let notice = await board.next(after: seen) else { return nil }
            seen = notice.number
            return notice.progress
        }
    }
}
