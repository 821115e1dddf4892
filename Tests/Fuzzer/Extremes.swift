import Glibc
import Godwit

/// Options that take numbers, by their names in docs/api, and what is done with each after it got an extreme value.
///
/// A trap ends the process, and so does an action that doesn't end after it was canceled.
struct Extreme: Sendable {
    let name: String
    /// Does something that uses the option, once for each value.
    let attempts: [@Sendable () async throws -> Void]

    static func integers(_ name: String, _ act: @escaping @Sendable (Int) async throws -> Void) -> Extreme {
        Extreme(
            name: name,
            attempts: [.min, .min + 1, -1, 0, 1, 2, .max - 1, .max].map { value in { try await act(value) } })
    }

    static func bytes(_ name: String, _ act: @escaping @Sendable (Int64) async throws -> Void) -> Extreme {
        Extreme(name: name, attempts: [.min, -1, 0, 1, .max].map { value in { try await act(value) } })
    }

    static func durations(_ name: String, _ act: @escaping @Sendable (Duration) async throws -> Void) -> Extreme {
        let values = [
            Duration(secondsComponent: .min, attosecondsComponent: 0), .seconds(-1), .nanoseconds(-1), .zero,
            .nanoseconds(1),
            .seconds(Int64.max), Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
        ]
        return Extreme(name: name, attempts: values.map { value in { try await act(value) } })
    }

    static func numbers(_ name: String, _ act: @escaping @Sendable (Double) async throws -> Void) -> Extreme {
        let values: [Double] = [
            -.infinity, -.greatestFiniteMagnitude, -1, -0.0, 0, .leastNonzeroMagnitude, 1, .greatestFiniteMagnitude,
            .infinity,
            .nan,
        ]
        return Extreme(name: name, attempts: values.map { value in { try await act(value) } })
    }

    /// Runs all, or the named one. What is printed last names what failed.
    static func run(_ name: String?) async {
        for extreme in all where name == nil || name == extreme.name {
            print(extreme.name)
            fflush(nil)
            alarm(60)
            await withTaskGroup(of: Void.self) { group in
                for attempt in extreme.attempts { group.addTask { await perform(attempt) } }
            }
            alarm(0)
        }
    }

    /// Cancels an attempt after a moment: with most extremes, waiting is right.
    private static func perform(_ attempt: @escaping @Sendable () async throws -> Void) async {
        let task = Task { try await attempt() }
        let timer = Task {
            try await Task.sleep(for: .milliseconds(150))
            task.cancel()
        }
        _ = await task.result
        timer.cancel()
    }
}
