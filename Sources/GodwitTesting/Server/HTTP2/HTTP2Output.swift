import GodwitCore

/// The body of a response on its way from the task that makes it to its HTTP/2 stream, a piece at a time.
final class HTTP2Output: Sendable {
    /// What the stream sends next.
    enum Supply {
        case bytes(Int)
        /// Nothing yet.
        case later
        case end(HTTPFields)
    }

    private struct State: Sendable {
        var piece = Data()
        var trailers: HTTPFields?
        /// Whether the stream is over.
        var isClosed = false
    }

    private let state = Watched(State())

    /// Passes on a piece once the previous one was sent. Throws if the stream is over, or the task is canceled.
    func put(_ piece: Data) async throws(CancellationError) {
        try await waitUntilSent()
        state.update { $0.piece = piece }
    }

    /// Waits until the piece was sent.
    func waitUntilSent() async throws(CancellationError) {
        try await state.wait { $0.piece.isEmpty || $0.isClosed }
        if state.value.isClosed { throw CancellationError() }
    }

    /// The body ends after the piece.
    func end(_ trailers: HTTPFields) {
        state.update { $0.trailers = trailers }
    }

    /// The stream is over.
    func close() {
        state.update { $0.isClosed = true }
    }

    /// Waits until the stream is over.
    func waitUntilClosed() async throws(CancellationError) {
        try await state.wait { $0.isClosed }
    }

    /// Moves bytes into the stream's frame.
    func take(into buffer: UnsafeMutableRawBufferPointer) -> Supply {
        nonisolated(unsafe) let buffer = buffer
        return state.update { state in
            guard state.piece.isEmpty else {
                let count = min(buffer.count, state.piece.count)
                state.piece.copyBytes(to: buffer, count: count)
                state.piece = state.piece.dropFirst(count)
                return .bytes(count)
            }
            return state.trailers.map { .end($0) } ?? .later
        }
    }
}
