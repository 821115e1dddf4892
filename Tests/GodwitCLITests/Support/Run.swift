import Godwit
import GodwitCommand

/// What a command line did.
struct Run {
    let code: ExitCode
    let output: String
    let errors: String

    /// Runs a command line over the platform's transport.
    static func godwit(
        _ arguments: String..., input: [String] = [], output: CapturedOutput = CapturedOutput(),
        environment: [String: String] = [:]
    ) async -> Run {
        await godwit(arguments, input: input, output: output, environment: environment)
    }

    /// Runs a command line over the platform's transport.
    static func godwit(
        _ arguments: [String], input: [String] = [], output: CapturedOutput = CapturedOutput(),
        environment: [String: String] = [:]
    ) async -> Run {
        let errors = CapturedOutput()
        let command = Command(input: ScriptedInput(input), output: output, errors: errors, environment: environment)
        let code = await command.run(arguments)
        return Run(code: code, output: output.text, errors: errors.text)
    }
}
