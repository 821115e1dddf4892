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

    /// How far an exchange is that nothing was heard of. Asked only when it may have been inactive for too long.
    func progress(of handle: EasyHandle, port: Int32) -> UploadWatch.Progress {
        var progress = UploadWatch.Progress(uploaded: godwit_get_offset(handle.pointer, CURLINFO_SIZE_UPLOAD_T))
        var tcp = godwit_connection_progress()
        guard port > 0, let descriptor = poller.connection(from: port),
            godwit_get_connection_progress(descriptor, &tcp) == 0
        else { return progress }
        progress.kernel = UploadWatch.Progress.Kernel(acknowledged: tcp.acknowledged, queued: tcp.queued)
        // What comes in on a shared connection may be another's.
        if isSerial(descriptor, handle), tcp.received > 0 {
            progress.received = now + -Int64(tcp.milliseconds_since_receipt) * 1_000_000
        }
        return progress
    }

    private func isSerial(_ descriptor: Int32, _ handle: EasyHandle) -> Bool {
        if poller[descriptor]?.sharing == .exclusive { return true }
        return handle.exchange.map { !configuration.protocols.mayShare($0.request.url.scheme) } ?? false
    }

    /// Hands an exchange that ended without a response to libcurl once more; false if that failed.
    func sendAgain(_ exchange: Exchange, on handle: EasyHandle) -> Bool {
        owner(of: handle).remove(handle)
        guard handle.prepare(for: exchange), multi.add(handle) else { return false }
        note(exchange.deadline)
        return true
    }
}
