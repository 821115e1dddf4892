import Godwit
import GodwitSupport

/// Downloads one or more URLs to files.
struct DownloadCommand {
    private let arguments: TransferArguments
    private let command: Command
    private let observation: Observation

    init(_ arguments: TransferArguments, of command: Command) {
        self.arguments = arguments
        self.command = command
        observation = Observation(arguments.request, of: command)
    }

    /// Throws the failure of the first URL that failed.
    func run() async throws(CommandFailure) -> ExitCode {
        let builder = try await builder(of: arguments.urls.first ?? "")
        let shared = Shared(
            transport: try command.transport(for: arguments.request.access),
            login: try command.login(arguments.request),
            jar: try builder.cookieJar())
        let isShown = command.errors.isTerminal && !arguments.request.isQuiet
        let display = isShown ? ProgressDisplay(output: command.errors, count: arguments.urls.count) : nil
        let results = await Array(arguments.urls.enumerated()).concurrentResults(limit: arguments.parallel ?? 3) {
            (index, url) async throws(CommandFailure) in
            try await download(url, index, shared, display)
        }
        await shared.transport.shutdown(.cancelling)
        await shared.login?.end()
        let concluded = await observation.conclude()
        await builder.keep(shared.jar)
        let failures = results.compactMap { result in
            if case .failure(let failure) = result { failure } else { nil }
        }
        for failure in failures.dropFirst() {
            if let message = failure.message(of: ["download"]) { await command.report(message) }
        }
        if let failure = failures.first { throw failure }
        try concluded.get()
        try builder.saveSession()
        return .success
    }

    /// What all downloads of a command line share.
    private struct Shared: Sendable {
        let transport: any HTTPTransport
        let login: StoredLogin?
        let jar: CookieJar?
    }

    private func download(
        _ url: String, _ index: Int, _ shared: Shared, _ display: ProgressDisplay?
    ) async throws(CommandFailure) {
        let builder = try await builder(of: url)
        let client = try builder.client(
            over: shared.transport, observation, signingIn: shared.login, jar: shared.jar)
        defer { client.hstsStore?.saveAtEnd() }
        let endpoint = try await builder.endpoint()
        let download = client.download(endpoint, to: arguments.destinationURL) {
            $0.existingFile = arguments.existingFile
            $0.leftover = arguments.leftover
            $0.digest = arguments.digest
            $0.parallelRanges = arguments.connections
        }
        if let display {
            let name = name(of: url)
            for await progress in download.progress { await display.show(progress, of: name, at: index) }
        }
        let result = await outcome(of: download)
        try await report(result, url, isOld: download.wasAlreadyComplete)
        if case .failure(let error) = result { throw .network(error) }
    }

    private func builder(of url: String) async throws(CommandFailure) -> RequestBuilder {
        var request = arguments.request
        request.url = url
        request.method = .get
        return try await RequestBuilder.inSession(request, of: command)
    }

    private func name(of url: String) -> String {
        if case .file(let path) = arguments.destination { return URL(filePath: path).lastPathComponent }
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").last.map(String.init) ?? url
    }

    private func outcome(of download: Download) async -> Result<URL, NetworkError> {
        await Result.catching { () async throws(NetworkError) in try await download.file }
    }

    /// Prints the path of the file, or a JSON object for a success or a failure.
    private func report(
        _ result: Result<URL, NetworkError>, _ url: String, isOld: Bool
    ) async throws(CommandFailure) {
        if arguments.request.reportsAsJSON {
            return try await command.print(TransferReport.report(result, url, isOld: isOld))
        }
        guard !arguments.request.isQuiet, case .success(let file) = result else { return }
        if isOld { await command.report("\(shown(file)) is already complete") }
        try await command.print(TerminalText.escaped(shown(file)) + "\n")
    }

    /// The path, relative if the destination is.
    private func shown(_ file: URL) -> String {
        switch arguments.destination {
        case .file(let path): path
        case .folder("."): file.lastPathComponent
        case .folder(let path): path + (path.hasSuffix("/") ? "" : "/") + file.lastPathComponent
        }
    }
}

/// The JSON object that `--json-output` prints for each file.
enum TransferReport {
    static func report(_ result: Result<URL, NetworkError>, _ url: String, isOld: Bool = false) -> OrderedJSON {
        switch result {
        case .success(let file):
            let size = (try? FileManager.default.attributesOfItem(atPath: file.path))?.byteCount
            return .object([
                "url": .string(url), "file": .string(file.path), "bytes": size.map { .number($0) },
                "alreadyComplete": isOld ? .bool(true) : nil,
            ])
        case .failure(let error):
            guard case .object(let members) = ResponseReport.report(error) else { return .null }
            return .object([OrderedJSON.Member(name: OrderedJSON.quoted("url"), value: .string(url))] + members)
        }
    }
}
