#if os(Linux)
import GodwitBackground
import GodwitLibc

/// The clock for deadlines, which doesn't depend on changes of the date.
///
/// A machine without a battery-backed clock starts in 1970, and its date is corrected minutes later. By the date, every job
/// handed over in between would be late. So the uptime counts while the machine runs. Time while it was off is measured by
/// the date if both readings are plausible; otherwise it doesn't count.
package struct QueueClock: Sendable, Hashable, Codable {
    /// A reading of the machine's clocks.
    package struct Reading: Sendable, Hashable, Codable {
        /// Identifies the start of the machine.
        package var boot: String
        /// Seconds since the start, sleep included.
        package var uptime: Double
        /// The date, in seconds since 1970.
        package var wall: Double

        package init(boot: String, uptime: Double, wall: Double) {
            self.boot = boot
            self.uptime = uptime
            self.wall = wall
        }
    }

    /// Dates before 2025 are wrong, as there was no queue then.
    private static let earliest = 1_735_689_600.0
    /// A longer gap means a wrong date rather than a machine that was off.
    private static let longestGap = 366 * 86_400.0

    /// The time in seconds. It starts as the date, as in queues of older versions.
    package private(set) var time: Double
    private var mark: Reading

    /// Starts a clock.
    package init(_ reading: Reading) {
        time = min(max(reading.wall, 0), 1e11)
        mark = reading
    }

    /// Advances the clock to a reading.
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
    /// The current reading.
    package static var now: Self {
        var time = timespec()
        // `CLOCK_BOOTTIME`, which some C libraries' modules don't declare.
        clock_gettime(7, &time)
        return Self(
            boot: bootID, uptime: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9, wall: Date().timeIntervalSince1970)
    }

    /// The kernel's ID of this start of the machine.
    private static let bootID: String = {
        let text = try? String(contentsOf: URL(filePath: "/proc/sys/kernel/random/boot_id"), encoding: .utf8)
        return String((text ?? "").prefix { $0 != "\n" })
    }()
}
#endif
