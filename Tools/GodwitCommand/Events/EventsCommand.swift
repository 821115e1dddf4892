import Godwit

/// Prints server-sent events as they arrive, until the stream ends for good.
struct EventsCommand {
    private let arguments: RequestArguments
    private let command: Command
    private let observation: Observation

    init(_ arguments: RequestArguments, of command: Command) {
        self.arguments = arguments
        self.command = command
        observation = Observation(arguments, of: command)
    }

    func run() async throws(CommandFailure) -> ExitCode {
        do throws(CommandFailure) {
            let builder = try await RequestBuilder.inSession(arguments, of: command)
            try await observation.conclude { () async throws(CommandFailure) in try await printEvents(of: builder) }
            try builder.saveSession()
            return .success
        } catch {
            if arguments.reportsAsJSON, case .network(let error) = error {
                try await command.print(ResponseReport.report(error))
            }
            throw error
        }
    }

    private func printEvents(of builder: RequestBuilder) async throws(CommandFailure) {
        let limit = arguments.timeouts.call
        let endpoint = try await builder.endpoint().options { $0.timeouts.call = $0.timeouts.call ?? limit }
        let open = try builder.open(observation)
        try await CommandFailure.run { () async throws(CommandFailure) in
            try await print(open.client.events(endpoint, configure: configure))
        } finally: {
            await open.end()
        }
    }

    private func configure(_ options: inout EventSource.Options) {
        options.lastEventID = arguments.lastEventID
        options.failureLimit = arguments.retries
        if !arguments.reconnects { options.reconnection = .never }
    }

    private func print(_ events: EventSource) async throws(CommandFailure) {
        var events = events.makeAsyncIterator()
        while true {
            let event = try await CommandFailure.network { () async throws(NetworkError) in try await events.next() }
            guard let event else { return }
            if arguments.reportsAsJSON {
                try await command.print(Self.report(event))
            } else {
                try await command.print(event.data + "\n")
            }
        }
    }

    private static func report(_ event: ServerSentEvent) -> OrderedJSON {
        .object([
            "type": .string(event.type), "data": .string(event.data), "id": event.id.map { .string($0) },
            "lastEventID": .string(event.lastEventID),
            "retry": event.retry.map { .number(Int64($0 / .milliseconds(1))) },
        ])
    }
}
