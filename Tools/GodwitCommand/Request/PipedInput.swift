import Godwit

/// The body that is piped into the command, if there is one.
struct PipedInput {
    /// More bytes than these are streamed; fewer can be sent again after a redirect.
    private static let bufferLimit = 1 << 20
    /// How long to wait before telling the user what is awaited.
    private static let patience = Duration.seconds(3)

    let command: Command

    /// Whether a piped input is the body of this request.
    static func isBody(of arguments: RequestArguments) -> Bool {
        guard !arguments.ignoresInput, !arguments.hasBody else { return false }
        return switch arguments.method {
        case nil, .post?, .put?, .patch?: true
        default: false
        }
    }

    /// Returns the body; `nil` if the input is not piped, or empty.
    func body(of arguments: RequestArguments) async throws(CommandFailure) -> RequestBody? {
        guard command.input.isPiped, Self.isBody(of: arguments) else { return nil }
        let notice = Task { [command] in
            guard (try? await command.clock.sleep(for: Self.patience)) != nil else { return }
            await command.report("reading the body from standard input; to send none, use --ignore-stdin")
        }
        defer { notice.cancel() }
        var data = Data()
        while data.count <= Self.bufferLimit {
            guard let chunk = try await read() else {
                return data.isEmpty ? nil : .data(data, type: type(of: data, arguments))
            }
            notice.cancel()
            data.append(chunk)
        }
        let chunks = PrefixedChunks(first: data, source: command.input)
        return .stream(.stream(once: chunks), type: type(of: data, arguments))
    }

    private func read() async throws(CommandFailure) -> Data? {
        do {
            return try await command.input.read()
        } catch let error as OutputError {
            throw .output(error)
        } catch {
            throw .output(.cancelled)
        }
    }

    /// JSON if it begins like an object or array, which saves typing the field; otherwise text or bytes.
    private func type(of data: Data, _ arguments: RequestArguments) -> MediaType {
        if arguments.style == .form { return .form }
        let first = data.first { !" \t\r\n".utf8.contains($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return .json }
        return String(validating: data, as: UTF8.self) == nil ? .octetStream : .text
    }
}

/// The rest of an input after its first bytes.
private struct PrefixedChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let first: Data
    let source: any InputSource

    struct AsyncIterator: AsyncIteratorProtocol {
        var first: Data?
        let source: any InputSource

        mutating func next() async throws -> Data? {
            if let first {
                self.first = nil
                return first
            }
            return try await source.read()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(first: first, source: source) }
}
