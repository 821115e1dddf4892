import Godwit

/// Runs `cache`.
struct CacheCommand {
    let arguments: CacheArguments
    let command: Command

    func run() async throws(CommandFailure) -> ExitCode {
        let store = try store()
        if arguments.removes {
            let before = await store.byteCount()
            if let url = arguments.url { await store.removeAll(for: url) } else { await store.removeAll() }
            await command.report("removed \(ProgressLine.size(Int64(before - (await store.byteCount()))))")
            return .success
        }
        let all = await store.urls().sorted { $0.absoluteString < $1.absoluteString }
        let urls = arguments.url.map { url in all.filter { $0.absoluteString == url.absoluteString } } ?? all
        let now = Date()
        for url in urls {
            for response in await store.responses(for: url) { try await print(response, at: now) }
        }
        return .success
    }

    /// Opens the store. A mistyped folder is an error, not a new cache.
    private func store() throws(CommandFailure) -> DiskCacheStore {
        guard FileManager.default.fileExists(atPath: "\(arguments.folder)/responses.sqlite") else {
            throw .file("\(arguments.folder) is not a folder of --cache")
        }
        let folder = URL(filePath: arguments.folder, directoryHint: .isDirectory)
        return try CommandFailure.network { () throws(NetworkError) in
            // Nothing is stored, and nothing is removed for a limit.
            try DiskCacheStore(directory: folder, limit: .max >> 1, diagnostics: command.diagnostics)
        }
    }

    private func print(_ response: CachedResponse, at now: Date) async throws(CommandFailure) {
        let age = response.age(at: now)
        let rest = response.lifetime - age
        guard !arguments.reportsAsJSON else {
            return try await command.print(
                .object([
                    "url": .string(response.url.absoluteString), "status": .number(response.status.code),
                    "type": response.fields[.contentType].map { .string($0) },
                    "bytes": .number(response.body.count), "age": .decimal(age), "freshFor": .decimal(rest),
                ]))
        }
        let words = [
            "\(response.status.code)", ProgressLine.size(Int64(response.body.count)), "age \(Self.text(age))",
            rest > 0 ? "fresh for \(Self.text(rest))" : "stale for \(Self.text(-rest))", response.url.absoluteString,
        ]
        try await command.print(TerminalText.escaped(words.joined(separator: "  ")) + "\n")
    }

    /// A time in its largest unit: `5m`, `3d`.
    private static func text(_ seconds: TimeInterval) -> String {
        let units: [(size: Double, name: String)] = [(86_400, "d"), (3_600, "h"), (60, "m")]
        let seconds = min(max(seconds, 0), 1e12)
        for unit in units where seconds >= unit.size { return "\(Int64(seconds / unit.size))\(unit.name)" }
        return "\(Int64(seconds))s"
    }
}
