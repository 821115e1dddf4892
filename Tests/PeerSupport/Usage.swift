import Glibc
import Godwit

/// What this process holds. Meant for tests in a process of their own, as others would count too.
package struct Usage: Sendable, Equatable {
    /// Resident bytes.
    package var memory: Int
    package var descriptors: Int
    package var threads: Int

    package init(memory: Int, descriptors: Int, threads: Int) {
        (self.memory, self.descriptors, self.threads) = (memory, descriptors, threads)
    }

    package static func now() -> Usage {
        Usage(
            memory: residentPages * Int(getpagesize()), descriptors: openDescriptors, threads: threadCount)
    }

    /// The most resident bytes that this process has had.
    package static var peak: Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 } ?? 0
    }

    /// Waits until no more descriptors and threads are held than before; what is held once that is so, or after a
    /// few seconds.
    package static func settled(to before: Usage) async throws -> Usage {
        var now = Usage.now()
        for _ in 0..<200 where now.descriptors > before.descriptors || now.threads > before.threads {
            try await Task.sleep(for: .milliseconds(25))
            now = Usage.now()
        }
        return now
    }

    /// Leaves the timers out, which the language's runtime opens and closes as it likes.
    private static var openDescriptors: Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            return target != "anon_inode:[timerfd]"
        }
    }

    private static var residentPages: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let fields = text.split(separator: " ")
        return fields.count > 1 ? Int(fields[1]) ?? 0 : 0
    }

    private static var threadCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }
}
