#if canImport(Glibc)
import Glibc
#endif
import Godwit
import GodwitCommand

/// What a command line did.
struct Run {
    let code: ExitCode
    let output: String
    let errors: String

    /// Runs a command line over the platform's transport.
    static func godwit(
        _ arguments: String..., input: [String] = [], piped: Bool = false, output: CapturedOutput = CapturedOutput(),
        environment: [String: String] = [:], clock: any Clock<Duration> = ContinuousClock()
    ) async -> Run {
        await godwit(arguments, input: input, piped: piped, output: output, environment: environment, clock: clock)
    }

    /// Runs a command line over the platform's transport.
    static func godwit(
        _ arguments: [String], input: [String] = [], piped: Bool = false, output: CapturedOutput = CapturedOutput(),
        environment: [String: String] = [:], clock: any Clock<Duration> = ContinuousClock()
    ) async -> Run {
        let errors = CapturedOutput()
        var command = Command(
            input: ScriptedInput(input, isPiped: piped), output: output, errors: errors, environment: environment)
        command.clock = clock
        let code = await command.run(arguments)
        return Run(code: code, output: output.text, errors: errors.text)
    }
}

#if canImport(Glibc)
extension Run {
    /// Runs a command line that reads a named pipe, and cancels it once it has opened that.
    static func canceled(_ arguments: [String], whileReading pipe: String) async -> Run {
        let run = Task { await godwit(arguments) }
        // Fails until the command has opened the pipe.
        var writing: Int32
        repeat {
            await Task.yield()
            writing = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        } while writing < 0 && !Task.isCancelled
        run.cancel()
        defer { close(writing) }
        return await run.value
    }
}
#endif
