#if os(Linux)
import GodwitCore
import GodwitLibc
import GodwitSupport

extension ConnectionPolicy {
    /// Sets the options of TCP.
    func setProbing(_ descriptor: Int32) {
        if let unacknowledgedTimeout {
            let milliseconds = Int32(clamping: max(unacknowledgedTimeout.boundedMilliseconds, 1))
            SocketCalls.set(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, milliseconds)
        }
        guard let keepAlive else { return }
        SocketCalls.set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
        SocketCalls.set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPIDLE, Self.seconds(keepAlive.idle))
        SocketCalls.set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPINTVL, Self.seconds(keepAlive.interval))
        SocketCalls.set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPCNT, Int32(clamping: min(keepAlive.probes, 127)))
    }

    /// Rounded up, and within the system's limits.
    private static func seconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        return Int32(clamping: min(max(1, seconds.saturatingAdding(attoseconds > 0 ? 1 : 0)), 32_767))
    }
}
#endif
