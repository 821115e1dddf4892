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
