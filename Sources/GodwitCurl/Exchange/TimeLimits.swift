#if os(Linux)
import GodwitCore
import GodwitSockets
import GodwitSupport

/// A request's timeouts in nanoseconds.
struct TimeLimits {
    let connect: Int64
    let inactivity: Int64
    /// `nil` means no limit.
    let total: Int64?

    init(_ timeouts: Timeouts) {
        connect = Self.nanoseconds(timeouts.connect)
        inactivity = Self.nanoseconds(timeouts.inactivity)
        total = timeouts.total.map(Self.nanoseconds)
    }

    /// A duration of a century is as good as one that overflows.
    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.bounded.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}

/// Until when an exchange waits to be started.
struct StartLimits: Equatable {
    /// When making a connection would have taken too long.
    let connect: LoopTime
    /// `nil` means no limit.
    let total: LoopTime?

    init(_ limits: TimeLimits, at now: LoopTime) {
        connect = now + limits.connect
        total = limits.total.map { now + $0 }
    }
}

/// Decides whether an upload moves after libcurl and the kernel have taken its bytes.
struct UploadWatch {
    /// How far an exchange is at one moment.
    struct Progress: Equatable {
        /// Bytes of the body that left libcurl's own buffer.
        var uploaded: Int64
        /// Bytes of the connection that the peer acknowledged, and those that wait for it; nil if unknown.
        var kernel: Kernel?
        /// When the last byte for this exchange came in; nil if unknown.
        var received: LoopTime?
        /// The most bytes that libcurl may still hold of ``uploaded``.
        var held: UInt64 = 0

        struct Kernel: Equatable {
            var acknowledged: UInt64
            var queued: UInt64
        }
    }

    private var last: Progress?
    /// The acknowledgment by which everything that left libcurl so far has arrived. Later ones are for other exchanges.
    private var target: UInt64 = 0

    /// Whether something moved since the last look. The first look counts as movement, as there is none to compare with.
    mutating func hasMoved(_ progress: Progress) -> Bool {
        let before = last
        last = progress
        let hasLeft = before.map { $0.uploaded != progress.uploaded } ?? true
        guard let kernel = progress.kernel else { return hasLeft }
        if hasLeft {
            let rest = min(progress.held, UInt64(clamping: progress.uploaded))
            target = kernel.acknowledged + kernel.queued + rest
        }
        guard let known = before?.kernel else { return hasLeft }
        return hasLeft || known.acknowledged < target && kernel.acknowledged > known.acknowledged
    }
}
#endif
