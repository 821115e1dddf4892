import GodwitCore
import GodwitTesting

/// What the page asks of programs, until they fetch it.
final class CommandQueue: Sendable {
    private static let limit = 100

    private let waiting = Watched<[String: [PageCommand]]>([:])

    /// Adds a command for a program. Dropped if a hundred are waiting.
    func add(_ command: PageCommand, for program: String) {
        waiting.update { waiting in
            guard waiting[program, default: []].count < Self.limit, waiting.count < Self.limit else { return }
            waiting[program, default: []].append(command)
        }
    }

    /// Waits for the next command of a program. `nil` if there is none for a while, or the task is canceled.
    func next(for program: String, within limit: Duration) async -> PageCommand? {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [waiting] in try? await waiting.wait { $0[program]?.isEmpty == false } }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
        return waiting.update { waiting in
            guard var commands = waiting[program], !commands.isEmpty else { return nil }
            let first = commands.removeFirst()
            waiting[program] = commands.isEmpty ? nil : commands
            return first
        }
    }
}
