#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import CGodwitCurl
import Synchronization
import GodwitSockets

/// The socket of a connection that left HTTP without TLS or a proxy, after libcurl has given it up (decision 093).
///
/// The event loop reads, and writes what waits. If nothing waits, the thread that writes sends by itself, which saves two changes
/// of threads for each message.
final class OwnedSocket: Sendable {
    private struct State {
        /// -1 once it is closed.
        var descriptor: Int32
        /// The writes that the loop has or will get: later ones have to wait for them.
        var queued: Int
        var failure: String?
    }

    private let state: Mutex<State>

    /// - Parameter queued: How many writes the loop has for it already.
    init(_ descriptor: Int32, queued: Int) {
        state = Mutex(State(descriptor: descriptor, queued: queued))
    }

    /// The system's words for why it failed; `nil` if it has not.
    var failure: String? { state.withLock(\.failure) }

    // MARK: Any thread

    /// Sends what the system takes at once, unless other bytes wait. If that isn't all, the rest must be posted to the loop and
    /// counts as queued.
    func sendUnlessQueued(_ bytes: [UInt8]) -> Int {
        // A task that runs on the loop would keep it from everything else for as long as the peer reads.
        let isOnLoop = godwit_turn_is_ours() != 0
        return state.withLock { state in
            let isFree = !isOnLoop && state.queued == 0 && state.descriptor >= 0
            // The loop meets an error again, and ends the connection.
            let sent = isFree ? bytes.withUnsafeBytes { godwit_send(state.descriptor, $0.baseAddress, $0.count) } : 0
            if sent < bytes.count { state.queued += 1 }
            return max(0, sent)
        }
    }

    /// Bytes that were queued are sent, or have failed.
    func finishQueued() {
        state.withLock { $0.queued -= 1 }
    }

    // MARK: The thread that has the turn

    /// Sends bytes; `CURLE_AGAIN` if the system takes none.
    func send(_ bytes: UnsafeRawBufferPointer) -> (CURLcode, count: Int) {
        result(of: godwit_send(descriptor, bytes.baseAddress, bytes.count), CURLE_SEND_ERROR, "Send failure")
    }

    /// Receives bytes, none at the end; `CURLE_AGAIN` if none have arrived.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> (CURLcode, count: Int) {
        result(of: godwit_receive(descriptor, buffer.baseAddress, buffer.count), CURLE_RECV_ERROR, "Recv failure")
    }

    func end(in poller: Poller) {
        let descriptor = state.withLock { state in
            defer { state.descriptor = -1 }
            return state.descriptor
        }
        guard descriptor >= 0 else { return }
        poller.willClose(descriptor)
        close(descriptor)
    }

    private var descriptor: Int32 { state.withLock(\.descriptor) }

    private func result(of count: Int, _ code: CURLcode, _ what: String) -> (CURLcode, count: Int) {
        if count >= 0 { return (CURLE_OK, count) }
        let error = Int32(clamping: -count)
        if error == EAGAIN { return (CURLE_AGAIN, 0) }
        // As libcurl words it.
        state.withLock { $0.failure = "\(what): \(String(cString: strerror(error)))" }
        return (code, 0)
    }
}
#endif
