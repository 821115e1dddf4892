import Godwit

extension RequestBuilder {
    /// Makes a builder with what the session keeps.
    static func inSession(
        _ arguments: RequestArguments, of command: Command
    ) async throws(CommandFailure) -> RequestBuilder {
        var session = try session(arguments, command)
        var arguments = arguments
        try session?.apply(to: &arguments)
        let unread = arguments
        if let limit = arguments.timeouts.call, arguments.readsFiles {
            let (read, left) = try await TimeLimit.run(within: limit, on: command.clock) {
                () async throws(CommandFailure) in try await withFiles(unread, command)
            }
            arguments = read
            arguments.timeouts.call = left
        } else {
            arguments = try await withFiles(unread, command)
        }
        var builder = RequestBuilder(arguments: arguments, of: command)
        builder.session = session
        return builder
    }

    /// The arguments with what their files contain.
    private static func withFiles(
        _ arguments: RequestArguments, _ command: Command
    ) async throws(CommandFailure) -> RequestArguments {
        var arguments = arguments
        try await arguments.readItemFiles()
        if arguments.sendsDataInQuery { try await moveDataToQuery(&arguments, command) }
        return arguments
    }

    /// Saves the fields and the login in the session, if there is one. The client saves its cookies.
    func saveSession() throws(CommandFailure) {
        try session?.save(arguments, authorization: try authorization())
    }

    private static func session(
        _ arguments: RequestArguments, _ command: Command
    ) throws(CommandFailure) -> SessionFile? {
        guard let name = arguments.session, let url = try? HTTPURL(arguments.url) else { return nil }
        return try SessionFile(name, for: url, command.environment)
    }

    /// `-G`: the data of `-d` becomes the end of the query.
    private static func moveDataToQuery(
        _ arguments: inout RequestArguments, _ command: Command
    ) async throws(CommandFailure) {
        let data = try await BodyBuilder(arguments: arguments, input: command.input).joinedData()
        guard let text = String(validating: data, as: UTF8.self), !text.isEmpty else { return }
        let url = arguments.url.prefix { $0 != "#" }
        arguments.url = "\(url)\(url.contains("?") ? "&" : "?")\(text)"
    }
}

extension RequestArguments {
    /// Whether the query or fields come from files.
    fileprivate var readsFiles: Bool { sendsDataInQuery || items.contains { $0.isInFile } }

    /// Reads the values of `Name:@FILE` and `name==@FILE`, without the line breaks at their end, as HTTPie does.
    fileprivate mutating func readItemFiles() async throws(CommandFailure) {
        for (index, item) in items.enumerated() {
            switch item {
            case .fieldFile(let name, let path):
                items[index] = .field(name: name, value: try await Self.value(in: path))
            case .queryFile(let name, let path):
                items[index] = .query(name: name, value: try await Self.value(in: path))
            default: continue
            }
        }
    }

    private static func value(in path: String) async throws(CommandFailure) -> String {
        var text = try await SmallFile.textContents(of: path).withoutByteOrderMark
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }
}

extension RequestItem {
    fileprivate var isInFile: Bool {
        switch self {
        case .fieldFile, .queryFile: true
        default: false
        }
    }
}
