import Godwit

/// The body that is piped into the command, if there is one.
struct PipedInput {
    /// How long to wait before telling the user what is awaited.
    private static let patience = Duration.seconds(3)

    let command: Command

    /// Whether a piped input is the body of this request.
    func isBody(of arguments: RequestArguments) -> Bool {
        guard command.input.isPiped, !arguments.ignoresInput, !arguments.hasBody else { return false }
        return switch arguments.method {
        case nil, .post?, .put?, .patch?: true
        default: false
        }
    }

    /// Returns the body; `nil` if the input is empty.
    func body(of arguments: RequestArguments) async throws(CommandFailure) -> RequestBody? {
        let notice = Task { [command] in
            guard (try? await command.clock.sleep(for: Self.patience)) != nil else { return }
            await command.report("reading the body from standard input; to send none, use --ignore-stdin")
        }
        defer { notice.cancel() }
        let input = try await InputBody(reading: command.input) { notice.cancel() }
        guard !input.beginning.isEmpty else { return nil }
        return input.body(of: type(of: input.beginning, arguments))
    }

    /// JSON if it begins like an object or array, which saves typing the field; otherwise text or bytes.
    private func type(of data: Data, _ arguments: RequestArguments) -> MediaType {
        if arguments.style == .form { return .form }
        let first = data.first { !" \t\r\n".utf8.contains($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return .json }
        return String(validating: data, as: UTF8.self) == nil ? .octetStream : .text
    }
}
