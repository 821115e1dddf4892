public import GodwitCore

extension PageLoader {
    /// How a list stands.
    public enum State: Sendable {
        /// Waits to be asked for more.
        case idle
        /// The next page is on its way.
        case loadingMore
        /// The first page is on its way anew; the elements from before stay until it is there.
        case refreshing
        /// The last thing asked for could not be had; asking again asks for the same.
        case failed(NetworkError)
        /// The list is at its end.
        case complete
    }
}
