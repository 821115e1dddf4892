import Godwit
import GodwitCommand
import GodwitTesting

/// A `mock` command that serves until it is stopped.
struct ServedMock {
    let url: String
    let output: CapturedOutput
    let errors: CapturedOutput
    private let task: Task<ExitCode, Never>

    /// Returns when the command serves and waits for changes of its file.
    init(_ arguments: [String], clock: TestClock) async throws {
        let (output, errors) = (CapturedOutput(), CapturedOutput())
        var command = Command(input: ScriptedInput([]), output: output, errors: errors, environment: [:])
        command.clock = clock
        let task = Task { [command] in await command.run(["mock"] + arguments) }
        try await clock.waitForSleepers()
        url = String(output.text.prefix { $0 != " " })
        (self.output, self.errors, self.task) = (output, errors, task)
    }

    func stop() async -> ExitCode {
        task.cancel()
        return await task.value
    }
}
