import CGodwitCurl
import Glibc
import GodwitCore

/// What is known about a connection, by the port on its own end.
struct PortFacts: OptionSet {
    let rawValue: UInt8

    /// It serves one exchange after the other, as over HTTP/1.1.
    static let isSerial = PortFacts(rawValue: 1)
    /// It failed as a whole, and nothing may be sent on it.
    static let isAbandoned = PortFacts(rawValue: 2)
}

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
        closings.note(descriptor, at: now) { port in
            defer { setFacts([], of: port) }
            return facts(of: port).contains(.isSerial)
        }
    }

    func facts(of port: Int32) -> PortFacts { ports[Int(port) & 0xFFFF] }

    func setFacts(_ facts: PortFacts, of port: Int32) { ports[Int(port) & 0xFFFF] = facts }

    /// Ends a shared connection that failed as a whole. libcurl 7.88 would keep it, and the next request on it would hang.
    func abandon(connectionFrom port: Int32) {
        guard port > 0, !facts(of: port).contains(.isSerial), let descriptor = poller.connection(from: port) else { return }
        setFacts(.isAbandoned, of: port)
        shutdown(descriptor, Int32(SHUT_RDWR))
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
        if isSerial(port, handle), tcp.received > 0 {
            progress.received = now + -Int64(tcp.milliseconds_since_receipt) * 1_000_000
        }
        return progress
    }

    private func isSerial(_ port: Int32, _ handle: EasyHandle) -> Bool {
        if facts(of: port).contains(.isSerial) { return true }
        return handle.exchange.map { !configuration.protocols.mayShare($0.request.url.scheme) } ?? false
    }

    /// Hands an exchange that ended without a response to libcurl once more; false if that failed.
    func sendAgain(_ exchange: Exchange, on handle: EasyHandle) -> Bool {
        multi.remove(handle)
        handle.keepConnectionAfterwards()
        guard handle.prepare(for: exchange), multi.add(handle) else { return false }
        note(exchange.deadline)
        curlDeadline = now
        return true
    }
}
