import Glibc

/// Wall clock and CPU time (user and system, all threads) at a moment.
public struct Measurement: Sendable {
    private let instant = ContinuousClock.now
    private let cpuMicroseconds = Self.cpuMicrosecondsSoFar()

    /// Reads the current time.
    public init() {}

    /// Prints the work since this moment as one line of JSON, in the format of the raw C programs.
    ///
    /// - Parameter extras: Additional numeric fields.
    public func report(_ name: String, _ totals: Totals, extras: [(name: String, value: Int)] = []) {
        let seconds = (ContinuousClock.now - instant) / .seconds(1)
        let cpu = Self.cpuMicrosecondsSoFar() - cpuMicroseconds
        let fields: [(String, String)] = [
            ("name", "\"\(name)\""),
            ("requests", "\(totals.requests)"),
            ("seconds", "\(seconds)"),
            ("requests_per_second", "\(Double(totals.requests) / seconds)"),
            ("cpu_microseconds_per_request", "\(cpu / Double(totals.requests))"),
            ("bytes", "\(totals.bytes)"),
            ("peak_rss_kb", "\(ProcessStatus.value(of: "VmHWM"))"),
            ("errors", "\(totals.errors)"),
        ]
        let more = extras.map { ($0.name, "\($0.value)") }
        print("{" + (fields + more).map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}")
    }

    private static func cpuMicrosecondsSoFar() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) * 1e6 + Double($1.tv_usec) }
    }
}
