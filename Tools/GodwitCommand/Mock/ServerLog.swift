import Godwit
import GodwitTesting
import Synchronization

/// Prints a line for each request to a server of a command. Lines that wait for a slow reader are bounded: the oldest are
/// dropped, and their number is printed.
final class ServerLog: Sendable {
    private let lines: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation
    private let dropped = Atomic(0)

    init() {
        (lines, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(10_000))
    }

    /// Adds the line of a request: method, target without secrets, and the status.
    func add(_ request: MockRequest, _ status: HTTPStatus?) {
        let status = status.map { "\($0.code)" } ?? "no response"
        // Secrets in the query of an invalid URL can't be recognized.
        guard let url = request.url else { return add("\(request.method) \(request.path) \(status)") }
        let text = "\(HTTPRequest(method: request.method, url: url))"
        let isDirect = request.target.hasPrefix("/")
        let shown = isDirect ? text.replacing("\(url.origin)", with: "", maxReplacements: 1) : text
        add("\(shown) \(status)")
    }

    func add(_ line: String) {
        if case .dropped = continuation.yield(line) { dropped.add(1, ordering: .relaxed) }
    }

    /// Prints lines until the task is canceled or the output ends, while an operation runs.
    func print(
        to command: Command, while operation: @escaping @Sendable () async -> Void
    ) async throws(CommandFailure) {
        let result = await withTaskGroup(of: Result<Void, CommandFailure>.self) { group in
            group.addTask { [self] in await write(to: command) }
            group.addTask {
                await operation()
                return .success(())
            }
            let first = await group.next() ?? .success(())
            group.cancelAll()
            return first
        }
        try result.get()
    }

    private func write(to command: Command) async -> Result<Void, CommandFailure> {
        for await line in lines {
            do throws(CommandFailure) {
                let missing = dropped.exchange(0, ordering: .relaxed)
                if missing > 0 { try await command.print("(\(missing) lines were dropped: the output is too slow)\n") }
                try await command.print(TerminalText.escaped(line) + "\n")
            } catch {
                return .failure(error)
            }
        }
        return .success(())
    }
}
