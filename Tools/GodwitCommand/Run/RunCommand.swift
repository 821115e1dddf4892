import Godwit
import GodwitPatterns

/// Sends the requests in files and reports which responses pass their checks.
struct RunCommand {
    private static let fileLimit = 4 << 20

    let arguments: RunArguments
    let command: Command
    private let redactor = Redactor()

    func run() async throws(CommandFailure) -> ExitCode {
        let variables = try variables()
        var files: [RequestFile] = []
        var isValid = true
        for path in arguments.files {
            if let file = await parse(try await source(path), variables) { files.append(file) } else { isValid = false }
        }
        guard isValid else { return .usage }
        let results = try await results(of: files, variables, access: try access(to: files, variables))
        try await print(RunText.summary(results))
        try await write(RunReport.junit(results), to: arguments.junit)
        try await write(RunReport.json(results), to: arguments.json)
        if Task.isCancelled { return .interrupted }
        return results.lazy.map(\.exitCode).first { $0 != .success } ?? .success
    }

    private func print(_ text: String) async throws(CommandFailure) {
        try await command.print(redactor.redacted(text))
    }

    private func write(_ report: String, to path: String?) async throws(CommandFailure) {
        if let path { try await FileDestination.write(redactor.redacted(report), to: path) }
    }
}

// Variables and files.
extension RunCommand {
    private func variables() throws(CommandFailure) -> Variables {
        var variables = Variables()
        for path in arguments.variableFiles {
            for line in try text(path).split(whereSeparator: \.isNewline) {
                let line = line.trimmingSpaces
                if line.isEmpty || line.hasPrefix("#") { continue }
                do throws(CheckFault) {
                    let (name, value) = try EntryOptions.variable(line)
                    variables[name] = value
                } catch {
                    throw .usage(UsageError("\(path): \(error.message)", command: "run"))
                }
            }
        }
        for (name, value) in arguments.variables { variables[name] = value }
        for (name, value) in arguments.secrets {
            guard let secret = value ?? command.environment[name] else {
                throw .usage(UsageError("--secret \(name): the environment has no \(name)", command: "run"))
            }
            redactor.add(secret)
            variables[name] = .text(secret)
        }
        return variables
    }

    private func source(_ path: String) async throws(CommandFailure) -> RequestFileText {
        RequestFileText(name: path, text: path == "-" ? try await standardInput() : try text(path))
    }

    private func standardInput() async throws(CommandFailure) -> String {
        var data = Data()
        do {
            while let chunk = try await command.input.read() {
                data += chunk
                if data.count > Self.fileLimit { break }
            }
        } catch {
            throw .file("cannot read standard input")
        }
        guard data.count <= Self.fileLimit else {
            throw .file("standard input is larger than \(Self.fileLimit >> 20) MB")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw .file("standard input is not UTF-8 text")
        }
        return text
    }

    private func text(_ path: String) throws(CommandFailure) -> String {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(filePath: path).resolvingSymlinksInPath().path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular else { throw .file("cannot read \(path)") }
        guard attributes?[.size] as? Int ?? 0 <= Self.fileLimit else {
            throw .file("\(path) is larger than \(Self.fileLimit >> 20) MB")
        }
        return try SmallFile.text(path)
    }

    /// Reports the first fault of a file and returns `nil` if there is one.
    private func parse(_ source: RequestFileText, _ variables: Variables) async -> RequestFile? {
        do throws(SyntaxFault) {
            let file = try RequestFileParser.file(source)
            try VariableCheck.check(file, Set(variables.values.keys))
            return file
        } catch {
            let lines =
                ["\(source.location(of: error.offset)): \(error.message)"]
                + source.excerpt(at: error.offset).map { "  \($0)" }
            await command.report(lines: redactor.redacted(lines.joined(separator: "\n")))
            return nil
        }
    }
}

// Runs.
extension RunCommand {
    /// The route to the servers. Pins and a certificate apply to one host, which must be known before anything is sent.
    private func access(to files: [RequestFile], _ variables: Variables) throws(CommandFailure) -> ServerAccess {
        var request = arguments.request
        guard !request.access.pins.isEmpty || request.access.certificate != nil || request.access.key != nil else {
            return request.access
        }
        do throws(UsageError) {
            try request.nameSecuredHost(of: try urls(of: files, variables))
        } catch {
            throw .usage(UsageError(error.reason, command: "run"))
        }
        return request.access
    }

    private func urls(of files: [RequestFile], _ variables: Variables) throws(UsageError) -> [String] {
        var urls: [String] = []
        for entry in files.flatMap(\.entries) {
            guard let url = try? entry.url.text(variables) else {
                throw UsageError("--pin and --cert need URLs without captured variables")
            }
            urls.append(RequestArguments.completed(url))
        }
        return urls
    }

    private func results(
        of files: [RequestFile], _ variables: Variables, access: ServerAccess
    ) async throws(CommandFailure) -> [FileResult] {
        let transport = try command.transport(for: access)
        return try await CommandFailure.run { () async throws(CommandFailure) in
            // With a cookie file, all files of the run share its cookies.
            let shared = try RequestBuilder(arguments: arguments.request, of: command).cookieJar()
            let runs = files.map { file in
                FileRun(
                    file: file, arguments: arguments, command: command, transport: transport,
                    jar: shared ?? CookieJar(suffixes: PublicSuffixList()), redactor: redactor)
            }
            let results = try await run(runs, variables).get()
            shared?.saveAtEnd()
            return results
        } finally: {
            await transport.shutdown(.cancelling)
        }
    }

    /// Runs some files at a time, and prints their results in the order of the files.
    private func run(_ runs: [FileRun], _ variables: Variables) async -> Result<[FileResult], CommandFailure> {
        await withTaskGroup(of: (Int, FileResult).self) { group in
            var waiting = runs.enumerated().makeIterator()
            for _ in 0..<arguments.jobs {
                if let (index, run) = waiting.next() { group.addTask { (index, await run.run(variables)) } }
            }
            var results: [FileResult?] = Array(repeating: nil, count: runs.count)
            var printed = 0
            while let (index, result) = await group.next() {
                results[index] = result
                if let (index, run) = waiting.next() { group.addTask { (index, await run.run(variables)) } }
                do throws(CommandFailure) {
                    while printed < results.count, let result = results[printed] {
                        try await print(RunText.text(result))
                        printed += 1
                    }
                } catch {
                    group.cancelAll()
                    return .failure(error)
                }
            }
            return .success(results.compactMap(\.self))
        }
    }
}
