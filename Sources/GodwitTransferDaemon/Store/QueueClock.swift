#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import GodwitBackground

/// The time by which jobs run out: it passes as the machine's own clock does, whatever is made of the time of day.
///
/// A machine without a clock of its own starts in 1970, and is set right minutes later: by the time of day every job that
/// was handed over in between would be late at once. So within one start of the machine its uptime counts. What passed
/// while it was off the time of day tells, where both readings make sense; else that time is not counted.
package struct QueueClock: Sendable, Hashable, Codable {
    /// What the machine's clocks show.
    package struct Reading: Sendable, Hashable, Codable {
        /// Which start of the machine it is.
        package var boot: String
        /// Seconds since then, those asleep included.
        package var uptime: Double
        /// The time of day, in seconds since 1970.
        package var wall: Double

        package init(boot: String, uptime: Double, wall: Double) {
            self.boot = boot
            self.uptime = uptime
            self.wall = wall
        }
    }

    /// A time of day before 2025 is none: there was no queue then.
    private static let earliest = 1_735_689_600.0
    /// A machine that was off for longer has rather a wrong clock.
    private static let longestGap = 366 * 86_400.0

    /// The time, in seconds. It begins as the time of day, as queues have it that an older process has left.
    package private(set) var time: Double
    private var mark: Reading

    /// Starts a clock.
    package init(_ reading: Reading) {
        time = min(max(reading.wall, 0), 1e11)
        mark = reading
    }

    /// Brings the clock up to date.
    package mutating func advance(to reading: Reading) {
        time += passed(until: reading)
        mark = reading
    }

    private func passed(until reading: Reading) -> Double {
        if reading.boot == mark.boot { return max(0, reading.uptime - mark.uptime) }
        let (uptime, gap) = (max(0, reading.uptime), reading.wall - mark.wall)
        let isKnown = min(mark.wall, reading.wall) >= Self.earliest && gap <= Self.longestGap
        return isKnown ? max(uptime, gap) : uptime
    }
}

extension QueueClock.Reading {
    /// What the clocks show now.
    package static var now: Self {
        var time = timespec()
        // `CLOCK_BOOTTIME`, which is no constant in every C library's module.
        clock_gettime(7, &time)
        return Self(
            boot: bootID, uptime: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9, wall: Date().timeIntervalSince1970)
    }

    /// The kernel's name for this start of the machine.
    private static let bootID: String = {
        let text = try? String(contentsOf: URL(filePath: "/proc/sys/kernel/random/boot_id"), encoding: .utf8)
        return String((text ?? "").prefix { $0 != "\n" })
    }()
}
#endif
