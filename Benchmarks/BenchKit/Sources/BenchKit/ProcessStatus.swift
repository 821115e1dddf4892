import Glibc

/// The kernel's status of this process.
public enum ProcessStatus {
    /// A number from /proc/self/status: `VmHWM` and `VmRSS` (KiB), `Threads`. Zero if it is missing.
    public static func value(of field: String) -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if text.hasPrefix(field + ":") { return Int(text.filter(\.isNumber)) ?? 0 }
        }
        return 0
    }

    /// Makes the current resident set the peak, `VmHWM` (proc(5), clear_refs).
    public static func resetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }
}
