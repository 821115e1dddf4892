import ContentAPIServer

/// `content-api`: the tour's API as a program.
@main
enum ContentAPIProgram {
    private static let usage = """
        Usage: content-api [--port N] [--articles N] [--help]

        Serves the example API (articles, users, comments; in memory) on 127.0.0.1
        until it gets SIGINT or SIGTERM, and prints its URL.

          --port N      the port; a free one by default
          --articles N  the number of articles, 1 to 100000; 57 by default
        """

    static func main() {
        let signals = BlockedSignals.ending()
        let arguments = CommandLine.arguments.dropFirst()
        if arguments == ["--help"] { return announce(usage) }
        guard let options = options(in: arguments) else { stop(usage, code: 2) }
        // Detached, because this thread only waits from here on.
        let server = Task.detached { try await ContentAPIServer(options) }
        Task.detached {
            switch await server.result {
            case .success(let server): announce("\(server.url)")
            case .failure(let error): stop("content-api: \(error)", code: 1)
            }
        }
        signals.wait()
    }

    /// The options of the arguments; `nil` if they are invalid.
    private static func options(in arguments: ArraySlice<String>) -> ContentAPIServer.Options? {
        var options = ContentAPIServer.Options()
        var rest = arguments
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch name {
            case "--port":
                guard let port = UInt16(value) else { return nil }
                options.port = port
            case "--articles":
                guard let count = Int(value), 1...100_000 ~= count else { return nil }
                options.articleCount = count
            default: return nil
            }
        }
        return options
    }
}
