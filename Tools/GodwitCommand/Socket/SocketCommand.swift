import Godwit
import GodwitSupport
import Synchronization

/// Exchanges messages over a WebSocket until the server closes it, or the input ends.
struct SocketCommand {
    let arguments: SocketArguments
    let command: Command
    private let received = MessageCount()

    func run() async throws(CommandFailure) -> ExitCode {
        do throws(CommandFailure) {
            let fields = try arguments.fields.headerFields(of: "ws")
            let transport = try command.transport(for: arguments.access)
            try await CommandFailure.run { () async throws(CommandFailure) in
                let socket = try await CommandFailure.network { () async throws(NetworkError) in
                    try await open(fields, over: transport)
                }
                try await converse(over: socket).get()
            } finally: {
                await transport.shutdown(.cancelling)
            }
            return .success
        } catch {
            if arguments.reportsAsJSON, case .network(let failure) = error {
                try await command.print(ResponseReport.report(failure))
            }
            throw error
        }
    }

    private func open(
        _ fields: HTTPFields, over transport: any HTTPTransport
    ) async throws(NetworkError) -> WebSocket {
        let client = APIClient(baseURL: arguments.url, transport: transport) { configuration in
            configuration.userAgent = "godwit/\(Command.version)"
            configuration.requestIDs = .off
            configuration.timeouts = arguments.timeouts
            // A server may accept the connection and never answer.
            configuration.timeouts.call = arguments.timeouts.connect
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
                // After the end of the input, the messages decide the result.
                guard let result else { continue }
                group.cancelAll()
                return result
            }
            return .success(())
        }
    }

    // MARK: Messages

    private func print(_ socket: WebSocket) async -> Result<Void, CommandFailure> {
        await Result.catching { () async throws(CommandFailure) in
            var messages = socket.messages.makeAsyncIterator()
            while true {
                let message = try await CommandFailure.network { () async throws(NetworkError) in
                    try await messages.next()
                }
                guard let message else { break }
                try await print(message)
                received.count.add(1, ordering: .relaxed)
            }
            if arguments.reportsAsJSON {
                try await command.print(
                    .object([
                        "type": .string("close"), "code": .number(socket.closeCode?.rawValue ?? 1006),
                        "reason": .string(socket.closeReason ?? ""),
                    ]))
            }
        }
    }

    private func print(_ message: WebSocketMessage) async throws(CommandFailure) {
        switch message {
        case .text(let text) where arguments.reportsAsJSON:
            try await command.print(.object(["type": .string("text"), "text": .string(text)]))
        case .binary(let data) where arguments.reportsAsJSON:
            let encoded = OrderedJSON.string(data.base64EncodedString())
            try await command.print(.object(["type": .string("binary"), "base64": encoded]))
        case .text(let text):
            try await command.print((command.output.isTerminal ? TerminalText.escaped(text) : text) + "\n")
        case .binary(let data) where command.output.isTerminal:
            try await command.print("<\(data.count) bytes>\n")
        case .binary(let data):
            try await command.write(data + Data("\n".utf8))
        }
    }

    // MARK: Input

    /// Sends the input line by line. Returns a result only if the input can't be read; otherwise the received messages
    /// decide.
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

    /// Replies to the last lines may still arrive; a server that receives a close frame may not send them.
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
}

private final class MessageCount: Sendable {
    let count = Atomic(0)
}
