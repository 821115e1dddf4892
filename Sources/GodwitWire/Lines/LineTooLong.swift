/// A line is longer than the limit for one line.
package struct LineTooLong: Error, Sendable, Hashable {
    /// The most bytes a line may have, without its ending.
    package let limit: Int

    /// Makes the error.
    ///
    /// - Parameter limit: The limit that was passed, in bytes.
    package init(limit: Int) {
        self.limit = limit
    }
}
