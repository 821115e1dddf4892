import CGodwitCurl
import GodwitCore

extension ConnectionPolicy {
    /// What TCP is told; it counts in whole seconds.
    var probing: godwit_probing {
        var probing = godwit_probing()
        if let keepAlive {
            probing.idle_seconds = Self.seconds(keepAlive.idle)
            probing.interval_seconds = Self.seconds(keepAlive.interval)
            probing.probes = Int32(clamping: min(keepAlive.probes, 127))
        }
        if let unacknowledgedTimeout {
            let (seconds, attoseconds) = unacknowledgedTimeout.components
            let milliseconds = min(seconds, 1 << 20) * 1000 + attoseconds / 1_000_000_000_000_000
            probing.unacknowledged_milliseconds = UInt32(clamping: max(milliseconds, 1))
        }
        return probing
    }

    /// Rounded up, and within what the system takes.
    private static func seconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        return Int32(clamping: min(max(1, seconds + (attoseconds > 0 ? 1 : 0)), 32_767))
    }

    /// An age as libcurl takes it: whole seconds, rounded up. Ours are exact, and come first.
    static func curlSeconds(_ limit: Duration?) -> Int {
        guard let (seconds, attoseconds) = limit?.components else { return 1 << 30 }
        return Int(min(max(1, seconds + (attoseconds > 0 ? 1 : 0)), 1 << 30))
    }
}
