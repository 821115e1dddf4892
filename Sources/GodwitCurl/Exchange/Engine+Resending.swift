import CGodwitCurl
import GodwitCore

// What the engine learns about sendings that failed, and does about them.
extension Engine {
    /// Learns how HTTP/2 streams of this thread end.
    func observeStreams() {
        godwit_observe_streams(
            { context, easy, end, goAway in
                guard let context else { return }
                let goAway = goAway?.pointee
                Unmanaged<Engine>.fromOpaque(context)._withUnsafeGuaranteedRef {
                    $0.streamEnded(
                        of: easy, end, goAway.map { Resending.GoAway(lastStream: $0.last_stream, code: $0.code) })
                }
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Handles of others are not among ours, so they are looked for instead of asked. This is rare.
    private func streamEnded(
        of easy: UnsafeMutableRawPointer?, _ end: godwit_stream_end, _ goAway: Resending.GoAway?
    ) {
        active.first { $0.handle?.pointer == easy }?.streamEnded(end, goAway)
    }

    /// A connection is about to be closed.
    func noteClosing(of descriptor: Int32) {
        guard let connection = poller[descriptor] else { return }
        closings.note(descriptor, isSerial: connection.sharing == .exclusive, at: now)
    }

    /// Hands an exchange that ended without a response to libcurl once more; false if that failed.
    func sendAgain(_ exchange: Exchange, on handle: EasyHandle) -> Bool {
        owner(of: handle).remove(handle)
        guard handle.prepare(for: exchange), multi.add(handle) else { return false }
        note(exchange.deadline)
        return true
    }
}
