import Synchronization

/// Passes the chunks of a body from a transport to its reader, with backpressure.
///
/// The producer never blocks: ``send(_:)`` returns whether to continue, and `onDemand` is called after the reader has
/// caught up. The reader suspends in ``next(isolation:)``. One lock protects all state; continuations are resumed and
/// closures called after it is released.
package final class BodyChannel: Sendable {
    /// What the producer should do next.
    package enum Demand: Sendable {
        /// Send more.
        case more
        /// Stop until `onDemand` is called.
        case pause
        /// Stop permanently: the reader is gone.
        case none
    }

    private typealias Reader = UnsafeContinuation<Result<[Data], NetworkError>, Never>

    private enum Ending {
        case open
        case finished
        case failed(NetworkError)
        case abandoned
    }

    private struct State {
        var chunks: [Data] = []
        var queuedBytes = 0
        var isPaused = false
        var ending = Ending.open
        var trailers: HTTPFields = [:]
        var reader: Reader?
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let onDemand: @Sendable () -> Void
    private let onCancel: @Sendable () -> Void

    /// Creates a channel.
    ///
    /// - Parameters:
    ///   - capacity: The number of queued bytes at which the producer should pause.
    ///   - onDemand: Called after a pause, when the reader needs more.
    ///   - onCancel: Called once if the reader stops before the end.
    package init(
        capacity: Int, onDemand: @escaping @Sendable () -> Void, onCancel: @escaping @Sendable () -> Void
    ) {
        self.capacity = capacity
        self.onDemand = onDemand
        self.onCancel = onCancel
    }

    /// Adds a chunk and resumes a waiting reader.
    package func send(_ chunk: Data) -> Demand {
        send([chunk])
    }

    /// Adds chunks and resumes a waiting reader once.
    package func send(_ chunks: [Data]) -> Demand {
        let (reader, demand) = state.withLock { state -> (Reader?, Demand) in
            guard case .open = state.ending else { return (nil, .none) }
            if let reader = state.reader.take() { return (reader, .more) }
            for chunk in chunks { state.queuedBytes += chunk.count }
            state.chunks += chunks
            state.isPaused = state.queuedBytes >= capacity
            return (nil, state.isPaused ? .pause : .more)
        }
        reader?.resume(returning: .success(chunks))
        return demand
    }

    /// Ends the body, successfully or with an error that the reader gets after the earlier chunks.
    ///
    /// - Parameters:
    ///   - error: The failure. `nil` if the body is complete.
    ///   - trailers: The fields after the body.
    package func finish(_ error: NetworkError? = nil, trailers: HTTPFields = [:]) {
        let reader = state.withLock { state -> Reader? in
            guard case .open = state.ending else { return nil }
            state.trailers = trailers
            state.ending = error.map(Ending.failed) ?? .finished
            return state.reader.take()
        }
        reader?.resume(returning: error.map { .failure($0) } ?? .success([]))
    }

    /// Returns all available chunks in order, waiting for at least one. Empty at the end.
    func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> [Data] {
        if Task.isCancelled { cancel() }
        if let ready = takeReady() { return try ready.get() }
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation(isolation: actor) { wait(with: $0) }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// The fields after the body. Empty until it has ended.
    var trailers: HTTPFields { state.withLock(\.trailers) }

    /// Stops reading: tells the producer to stop, and ends a pending `next` with `.cancelled`.
    package func cancel() {
        let (reader, wasOpen) = state.withLock {
            state -> (Reader?, Bool) in
            guard case .open = state.ending else { return (nil, false) }
            state.ending = .abandoned
            state.chunks = []
            state.queuedBytes = 0
            return (state.reader.take(), true)
        }
        reader?.resume(returning: .failure(Self.cancelled))
        if wasOpen { onCancel() }
    }

    private func takeReady() -> Result<[Data], NetworkError>? {
        let (ready, wantsMore) = state.withLock { take(from: &$0) }
        if wantsMore { onDemand() }
        return ready
    }

    private func wait(with continuation: Reader) {
        let (ready, wantsMore) = state.withLock { state -> (Result<[Data], NetworkError>?, Bool) in
            let taken = take(from: &state)
            if taken.ready == nil { state.reader = continuation }
            return taken
        }
        if wantsMore { onDemand() }
        if let ready { continuation.resume(returning: ready) }
    }

    private func take(from state: inout State) -> (ready: Result<[Data], NetworkError>?, wantsMore: Bool) {
        guard state.chunks.isEmpty else {
            let chunks = state.chunks
            let wasPaused = state.isPaused
            state.chunks = []
            state.queuedBytes = 0
            state.isPaused = false
            return (.success(chunks), wasPaused)
        }
        return switch state.ending {
        case .open: (nil, false)
        case .finished: (.success([]), false)
        case .failed(let error): (.failure(error), false)
        case .abandoned: (.failure(Self.cancelled), false)
        }
    }

    private static var cancelled: NetworkError {
        NetworkError(.cancelled, phase: .receiving)
    }
}
