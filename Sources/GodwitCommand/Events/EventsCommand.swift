import Godwit

/// Writes server-sent events as they come, until there are no more.
struct EventsCommand {
    private let arguments: RequestArguments
    private let command: Command
    private let log: ExchangeLog

    init(_ arguments: RequestArguments, of command: Command) {
        self.arguments = arguments
        self.command = command
        log = ExchangeLog(verbose: arguments.isVerbose ? command.errors : nil)
    }

    func run() async throws(CommandFailure) -> ExitCode {
        do throws(CommandFailure) {
            try await listen()
            return .success
        } catch {
            if arguments.reportsAsJSON, case .network(let error) = error {
                try await write(ResponseReport.report(error))
            }
            throw error
        }
    }

    private func listen() async throws(CommandFailure) {
        let builder = RequestBuilder(arguments: arguments, of: command)
        let total = arguments.timeouts.total
        let endpoint = try builder.endpoint().options { $0.timeouts.total = total }
        let removals = try builder.removals()
        let (transport, client) = try CommandFailure.network { () throws(NetworkError) in
            let transport = try command.makeTransport(arguments.access)
            return (
                transport,
                try builder.client(
                    over: transport, recording: [log], without: removals, jar: builder.cookieJar())
            )
        }
        let result = await written(client.events(endpoint, configure: configure))
        await transport.shutdown(.cancelling)
        client.cookieJar?.saveAtEnd()
        try result.get()
    }

    private func configure(_ options: inout EventSource.Options) {
        options.lastEventID = arguments.lastEventID
        options.failureLimit = arguments.retries
        if !arguments.reconnects { options.reconnection = .never }
    }

    private func written(_ events: EventSource) async -> Result<Void, CommandFailure> {
        var events = events.makeAsyncIterator()
        do throws(CommandFailure) {
            while let event = try await next(&events) {
                if arguments.reportsAsJSON {
                    try await write(Self.report(event))
                } else {
                    try await write(event.data)
                }
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private func next(_ events: inout EventSource.AsyncIterator) async throws(CommandFailure) -> ServerSentEvent? {
        do throws(NetworkError) {
            return try await events.next()
        } catch {
            throw .network(error)
        }
    }

    private static func report(_ event: ServerSentEvent) -> JSONText {
        .object([
            "type": .string(event.type), "data": .string(event.data), "id": event.id.map { .string($0) },
            "lastEventID": .string(event.lastEventID),
            "retry": event.retry.map { .number(Int64($0 / .milliseconds(1))) },
        ])
    }

    private func write(_ json: JSONText) async throws(CommandFailure) {
        try await write(json.text(.compact))
    }

    private func write(_ line: String) async throws(CommandFailure) {
        try await command.print(line + "\n")
    }
}
