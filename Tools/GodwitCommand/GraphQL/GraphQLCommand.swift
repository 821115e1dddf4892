import Godwit
import GodwitGraphQL

/// Sends a query or a mutation and prints its data, prints the events of a subscription, or the schema.
struct GraphQLCommand {
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
            let code = try await observation.conclude { () async throws(CommandFailure) in try await perform(builder) }
            try builder.saveSession()
            return code
        } catch {
            // Errors of the server that came with no data at all.
            if case .network(let failure) = error, !failure.graphQLErrors.isEmpty {
                await report(failure.graphQLErrors)
            }
            if arguments.reportsAsJSON, case .network(let failure) = error {
                try await command.print(Self.report(failure))
            }
            throw error
        }
    }

    private func perform(_ builder: RequestBuilder) async throws(CommandFailure) -> ExitCode {
        let document = try await document()
        let variables = try await GraphQLVariableItems(arguments, of: command).variables()
        let open = try builder.open(observation)
        let fields = try builder.fields()
        let payload = try await payload()
        let graphQL = GraphQLClient(client(of: open, at: url(builder), fields), path: "") { options in
            configure(&options, payload)
            // What is sent again after a lost connection could be done twice.
            if let document, document.kind != .subscription { options.subscriptions.reconnection = .never }
        }
        return try await CommandFailure.run { () async throws(CommandFailure) in
            let code = try await perform(document, variables, graphQL)
            await open.finishValidations(arguments)
            return code
        } finally: {
            await open.end()
        }
    }

    /// The URL with the query items.
    private func url(_ builder: RequestBuilder) -> String {
        guard !builder.query.isEmpty, let url = try? HTTPURL(arguments.url) else { return arguments.url }
        return "\(url.appending(builder.query))"
    }

    /// The fields are the client's, as a subscription has none of its own.
    private func client(of open: OpenClient, at url: String, _ fields: HTTPFields) -> APIClient {
        var configuration = open.client.configuration
        for field in fields { configuration.defaultFields[field.name] = field.value }
        return APIClient(baseURL: url, transport: open.transport, preset: configuration)
    }

    private func configure(_ options: inout GraphQLOptions, _ payload: JSONValue?) {
        options.queries = arguments.graphQL.usesGet ? .get : .post
        options.persistedQueries = arguments.graphQL.sendsHashes ? .automatic : .off
        switch arguments.graphQL.carrier {
        case .ws: options.subscriptions.transport = .webSocket()
        case .legacyWS: options.subscriptions.transport = .legacyWebSocket()
        case .sse: options.subscriptions.transport = .eventStream()
        case .singleSSE: options.subscriptions.transport = .singleEventStream()
        case .multipart: options.subscriptions.transport = .multipart()
        }
        options.subscriptions.connectionPayload = { payload }
        options.subscriptions.reconnection = arguments.reconnects ? .resubscribe : .never
        options.subscriptions.failureLimit = arguments.retries
        options.subscriptions.idleTimeout = .zero
    }

    // MARK: Performing

    private func perform(
        _ document: GraphQLDocument?, _ variables: GraphQLVariables, _ graphQL: GraphQLClient
    ) async throws(CommandFailure) -> ExitCode {
        guard let document else {
            let schema = try await CommandFailure.network { () async throws(NetworkError) in
                try await graphQL.schema()
            }
            let text = schema.definition
            try await command.print(text)
            return .success
        }
        switch document.kind {
        case .mutation where !usesSocket: return try await send(.mutation(document, variables: variables), graphQL)
        case .query where !usesSocket: return try await send(.query(document, variables: variables), graphQL)
        // Over a WebSocket, the protocol is the same for all kinds: results, then the end.
        case .query, .mutation, .subscription:
            let layout = document.kind == .subscription ? .compact : layout
            return try await follow(.subscription(document, variables: variables), graphQL, layout)
        }
    }

    private func send(
        _ operation: GraphQLOperation<JSONElement>, _ graphQL: GraphQLClient
    ) async throws(CommandFailure) -> ExitCode {
        let response = try await CommandFailure.network { () async throws(NetworkError) in
            try await graphQL.response(for: operation)
        }
        try await print(response, layout)
        return response.errors.isEmpty ? .success : .httpStatus
    }

    private func follow(
        _ subscription: GraphQLSubscription<JSONElement>, _ graphQL: GraphQLClient, _ layout: OrderedJSON.Layout
    ) async throws(CommandFailure) -> ExitCode {
        var events = graphQL.subscribe(subscription).responses.makeAsyncIterator()
        var code = ExitCode.success
        while true {
            let event = try await CommandFailure.network { () async throws(NetworkError) in try await events.next() }
            guard let event else { return code }
            try await print(event, layout)
            if !event.errors.isEmpty { code = .httpStatus }
        }
    }

    // MARK: Printing

    private func print(
        _ response: GraphQLResponse<JSONElement>, _ layout: OrderedJSON.Layout
    ) async throws(CommandFailure) {
        let json = arguments.reportsAsJSON ? Self.whole(response) : OrderedJSON(response.value)
        try await command.print(json.text(layout, colors: colors) + "\n", colors: colors)
        if !arguments.reportsAsJSON { await report(response.errors) }
    }

    private static func whole(_ response: GraphQLResponse<JSONElement>) -> OrderedJSON {
        .object([
            "data": OrderedJSON(response.value),
            "errors": response.errors.isEmpty ? nil : .array(response.errors.map(OrderedJSON.init)),
            "extensions": OrderedJSON(extensions: response.extensions),
        ])
    }

    /// A failure of the whole operation, with the errors as the server sent them.
    private static func report(_ failure: NetworkError) -> OrderedJSON {
        let report = ResponseReport.report(failure)
        guard case .object(let members) = report, !failure.graphQLErrors.isEmpty else { return report }
        let errors = OrderedJSON.array(failure.graphQLErrors.map(OrderedJSON.init))
        return .object(members + [OrderedJSON.Member(name: OrderedJSON.quoted("errors"), value: errors)])
    }

    private func report(_ errors: [GraphQLError]) async {
        guard !arguments.reportsAsJSON else { return }
        for error in errors {
            let place = error.locations.first.map { " (line \($0.line), column \($0.column) of the query)" } ?? ""
            await command.report("\(error)\(error.code.map { " [\($0)]" } ?? "")\(place)")
        }
    }

    private var layout: OrderedJSON.Layout {
        switch arguments.layout {
        case .automatic: command.output.isTerminal || colors != .none ? .pretty : .compact
        case .pretty: .pretty
        case .compact, .unchanged: .compact
        }
    }

    private var usesSocket: Bool { arguments.graphQL.usesSocket }

    private var colors: Colors { arguments.color.colors(for: command.output, command.environment) }

    // MARK: Reading

    /// The query; `nil` if the schema is asked for.
    private func document() async throws(CommandFailure) -> GraphQLDocument? {
        guard let source = arguments.graphQL.document else { return nil }
        return GraphQLDocument(try await text(of: source), name: arguments.graphQL.operationName)
    }

    private func payload() async throws(CommandFailure) -> JSONValue? {
        guard let source = arguments.graphQL.payload else { return nil }
        return JSONValue(try await GraphQLVariableItems.value(of: source, "--init"))
    }

    /// Larger queries are mistakes.
    private static let documentLimit = 4 << 20

    private func text(of source: TextSource) async throws(CommandFailure) -> String {
        switch source {
        case .text(let text): return text
        case .file(let path): return try await SmallFile.textContents(of: path)
        default: break
        }
        var data = Data()
        do {
            while let chunk = try await command.input.read(), data.count <= Self.documentLimit { data.append(chunk) }
        } catch {
            throw (error as? OutputError).map(CommandFailure.output) ?? .file("cannot read standard input")
        }
        guard data.count <= Self.documentLimit, let text = String(validating: data, as: UTF8.self) else {
            throw .file("the query from standard input is not UTF-8 text, or larger than 4 MiB")
        }
        return text
    }
}

extension OrderedJSON {
    /// In the order of the names; `nil` for none.
    fileprivate init?(extensions: [String: JSONValue]) {
        guard !extensions.isEmpty, let data = try? JSONCoding().encode(JSONValue.object(extensions)) else { return nil }
        try? self.init(parsing: data)
    }

    /// An error as servers send it.
    fileprivate init(_ error: GraphQLError) {
        let path = error.path.map { component in
            switch component {
            case .field(let name): OrderedJSON.string(name)
            case .index(let index): OrderedJSON.number(index)
            }
        }
        let locations = error.locations.map {
            OrderedJSON.object(["line": .number($0.line), "column": .number($0.column)])
        }
        self = .object([
            "message": .string(error.message), "path": path.isEmpty ? nil : .array(path),
            "locations": locations.isEmpty ? nil : .array(locations), "code": error.code.map { .string($0) },
            "extensions": OrderedJSON(extensions: error.extensions),
        ])
    }
}
