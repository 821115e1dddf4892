import Godwit

extension RequestBuilder {
    /// Makes a builder with what the session keeps.
    static func inSession(
        _ arguments: RequestArguments, of command: Command
    ) async throws(CommandFailure) -> RequestBuilder {
        var session = try session(arguments, command)
        var arguments = arguments
        try session?.apply(to: &arguments)
        try await arguments.readItemFiles()
        if arguments.sendsDataInQuery { try await moveDataToQuery(&arguments, command) }
        var builder = RequestBuilder(arguments: arguments, of: command)
        builder.session = session
        return builder
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
