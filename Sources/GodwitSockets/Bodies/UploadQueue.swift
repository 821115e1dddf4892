#if os(Linux)
package import GodwitCore
import GodwitSupport
import Synchronization

/// Passes the chunks of an upload from their asynchronous source to the event loop, which never waits.
///
/// At most one chunk waits here: the source is asked for the next one when the last has been taken.
package final class UploadQueue: Sendable {
    /// The next part of the upload.
    package enum Supply {
        case chunk(Data)
        /// Nothing yet; `onSupply` is called when there is.
        case later
        /// The end, with the trailer fields.
        case end(HTTPFields)
        case failed(NetworkError)
    }

    private struct State {
        var waiting: Supply = .later
        var isWanted = false
        var isAbandoned = false
        /// Whether the waiting chunk was taken, for the task that offered it.
        var isTaken = WaiterPhase<Bool>.pending
        var pump: Task<Void, Never>?
    }

    private let state = Mutex(State())
    private let onSupply: @Sendable () -> Void

    /// - Parameter onSupply: Called when there is something after ``take()`` returned `.later`.
    package init(onSupply: @escaping @Sendable () -> Void) {
        self.onSupply = onSupply
    }

    /// Reads the source to its end in a separate task, at the pace of the network.
    package func start(_ source: ChunkSource) {
        let task = Task { await pump(source) }
        state.withLock { $0.pump = task }
    }

    private func pump(_ source: ChunkSource) async {
        let reading = source.read()
        do throws(NetworkError) {
            while let chunk = try await reading.next() {
                guard await offer(chunk) else { return }
            }
            put(.end(try await reading.trailers()))
        } catch {
            put(.failed(error))
        }
    }

    /// Removes what to send now. Called on the loop.
    package func take() -> Supply {
        let (supply, source) = state.withLock { state -> (Supply, UnsafeContinuation<Bool, Never>?) in
            guard case .chunk = state.waiting else {
                if case .later = state.waiting { state.isWanted = true }
                return (state.waiting, nil)
            }
            let supply = state.waiting
            state.waiting = .later
            return (supply, state.isTaken.resolve(true))
        }
        source?.resume(returning: true)
        return supply
    }

    /// Stops the upload, and cancels a source that is still being read.
    package func abandon() {
        let (source, pump) = state.withLock { state in
            state.isAbandoned = true
            state.waiting = .end([:])
            return (state.isTaken.resolve(false), state.pump.take())
        }
        source?.resume(returning: false)
        pump?.cancel()
    }

    /// Puts a chunk and waits until it is taken; false if the upload was abandoned.
    private func offer(_ chunk: Data) async -> Bool {
        guard put(.chunk(chunk)) else { return false }
        return await withUnsafeContinuation { continuation in
            let isTaken = state.withLock { $0.isTaken.suspend(continuation) }
            if let isTaken { continuation.resume(returning: isTaken) }
        }
    }

    @discardableResult
    private func put(_ supply: Supply) -> Bool {
        let (isAccepted, wakes) = state.withLock { state -> (Bool, Bool) in
            guard !state.isAbandoned else { return (false, false) }
            state.waiting = supply
            state.isTaken = .pending
            defer { state.isWanted = false }
            return (true, state.isWanted)
        }
        if wakes { onSupply() }
        return isAccepted
    }
}
#endif
