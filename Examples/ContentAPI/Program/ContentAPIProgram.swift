import ContentAPIServer

/// `content-api`: the tour's API as a program.
@main
enum ContentAPIProgram {
    private static let usage = """
        Usage: content-api [--port N] [--help]

        Serves the example API (articles, users, comments; in memory) on 127.0.0.1
        until it gets SIGINT or SIGTERM, and prints its URL.

          --port N  the port; a free one by default
        """

    static func main() {
        let signals = BlockedSignals.ending()
        let arguments = CommandLine.arguments.dropFirst()
        if arguments == ["--help"] { return announce(usage) }
        guard let port = port(in: arguments) else { stop(usage, code: 2) }
        // Detached, because this thread only waits from here on.
        let server = Task.detached { try await ContentAPIServer(port: port) }
        Task.detached {
            switch await server.result {
            case .success(let server): announce("\(server.url)")
            case .failure(let error): stop("content-api: \(error)", code: 1)
            }
        }
        signals.wait()
    }

    /// The port of the arguments; `nil` if they are invalid.
    private static func port(in arguments: ArraySlice<String>) -> UInt16? {
        switch arguments.count {
        case 0: 0
        case 2 where arguments.first == "--port": arguments.last.flatMap { UInt16($0) }
        default: nil
        }
    }
}
