import Godwit
import Synchronization

/// Talks over a WebSocket until the server closes it, or the input ends.
struct SocketCommand {
    private let arguments: SocketArguments
    private let command: Command
    private let received = Received()

    init(_ arguments: SocketArguments, of command: Command) {
        self.arguments = arguments
        self.command = command
    }

    func run() async throws(CommandFailure) -> ExitCode {
        do throws(CommandFailure) {
            try await talk()
            return .success
        } catch {
            if arguments.reportsAsJSON, case .network(let failure) = error {
                try await write(line: ResponseReport.report(failure).text(.compact))
            }
            throw error
        }
    }

    private func talk() async throws(CommandFailure) {
        let fields = try fields()
        let transport: any HTTPTransport
        let socket: WebSocket
        do throws(NetworkError) {
            transport = try command.makeTransport(arguments.access)
            socket = try await open(fields, over: transport)
        } catch {
            throw .network(error)
        }
        let result = await converse(over: socket)
        await transport.shutdown(.cancelling)
        try result.get()
    }

    private func open(
        _ fields: HTTPFields, over transport: any HTTPTransport
    ) async throws(NetworkError) -> WebSocket {
        let client = APIClient(baseURL: arguments.url, transport: transport) { configuration in
            configuration.userAgent = "godwit/\(Command.version)"
            configuration.requestIDs = .off
            configuration.timeouts = arguments.timeouts
            configuration.retry.maximumAttempts = 1
        }
        return try await client.webSocket("", subprotocols: arguments.subprotocols) { options in
            options.fields = fields
            if arguments.compresses { options.compression = WebSocketCompression() }
        }
    }

    private func converse(over socket: WebSocket) async -> Result<Void, CommandFailure> {
        await withTaskGroup(of: Result<Void, CommandFailure>?.self) { group in
            group.addTask { await print(socket) }
            group.addTask { await sendInput(over: socket) }
            while let result = await group.next() {
                // The input's end is the beginning of the end, which the messages decide.
                guard let result else { continue }
                group.cancelAll()
                return result
            }
            return .success(())
        }
    }

    // MARK: Messages

    private func print(_ socket: WebSocket) async -> Result<Void, CommandFailure> {
        do throws(CommandFailure) {
            while let message = try await next(of: socket) {
                try await write(message)
                received.count.add(1, ordering: .relaxed)
            }
            if arguments.reportsAsJSON {
                let code = socket.closeCode?.rawValue ?? 1006
                try await write(
                    line: JSONText.object([
                        "type": .string("close"), "code": .number(code), "reason": .string(socket.closeReason ?? ""),
                    ]).text(.compact))
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private func next(of socket: WebSocket) async throws(CommandFailure) -> WebSocketMessage? {
        do throws(NetworkError) {
            var messages = socket.messages.makeAsyncIterator()
            return try await messages.next()
        } catch {
            throw .network(error)
        }
    }

    private func write(_ message: WebSocketMessage) async throws(CommandFailure) {
        switch message {
        case .text(let text) where arguments.reportsAsJSON:
            try await write(line: JSONText.object(["type": .string("text"), "text": .string(text)]).text(.compact))
        case .binary(let data) where arguments.reportsAsJSON:
            let coded = JSONText.string(data.base64EncodedString())
            try await write(line: JSONText.object(["type": .string("binary"), "base64": coded]).text(.compact))
        case .text(let text):
            try await write(line: command.output.isTerminal ? TerminalText.safe(text) : text)
        case .binary(let data):
            if command.output.isTerminal { return try await write(line: "<\(data.count) bytes>") }
            try await command.write(data + Data("\n".utf8))
        }
    }

    private func write(line: String) async throws(CommandFailure) {
        try await command.print(line + "\n")
    }

    // MARK: Input

    /// Sends the input line by line. Nil, as only the other direction knows how it all ended; but for an input that
    /// cannot be read.
    private func sendInput(over socket: WebSocket) async -> Result<Void, CommandFailure>? {
        var rest = Data()
        do {
            while let chunk = try await command.input.read() {
                rest.append(chunk)
                while let end = rest.firstIndex(of: 0x0A) {
                    try await send(rest[rest.startIndex..<end], over: socket)
                    rest = Data(rest[(end + 1)...])
                }
            }
            if !rest.isEmpty { try await send(rest, over: socket) }
        } catch let error as OutputError {
            return .failure(.output(error))
        } catch {
            return nil
        }
        await closeWhenQuiet(socket)
        return nil
    }

    /// Answers to the last lines may still be under way, and a server that is told goodbye may not send them.
    private func closeWhenQuiet(_ socket: WebSocket) async {
        guard let patience = arguments.patience else { return }
        var before = -1
        while before != received.count.load(ordering: .relaxed) {
            before = received.count.load(ordering: .relaxed)
            guard (try? await command.clock.sleep(for: patience)) != nil else { return }
        }
        await socket.close()
    }

    private func send(_ line: Data, over socket: WebSocket) async throws(NetworkError) {
        let line = line.last == 0x0D ? line.dropLast() : line
        try await socket.send(String(decoding: line, as: UTF8.self))
    }

    private func fields() throws(CommandFailure) -> HTTPFields {
        var fields = HTTPFields()
        for case .field(let text, let value) in arguments.fields {
            guard let name = HTTPField.Name(text), let field = HTTPField(name: name, value: value) else {
                throw .usage(UsageError("\"\(text)\" is no field name, or its value holds a line break", command: "ws"))
            }
            fields.append(field)
        }
        return fields
    }
}

/// How many messages came.
private final class Received: Sendable {
    let count = Atomic(0)
}
