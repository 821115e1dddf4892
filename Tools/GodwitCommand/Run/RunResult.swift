import Godwit

/// What happened to one request of a file.
struct EntryResult: Sendable {
    /// The number of the request in its file, from 1.
    let number: Int
    /// The method and URL, as far as they are known.
    var title: String
    let offset: Int
    var status: Int?
    var duration = Duration.zero
    var attempts = 0
    var failures: [CheckFailure] = []
    /// Why no response arrived.
    var error: NetworkError?
    var isSkipped = false

    var hasPassed: Bool { failures.isEmpty && error == nil }

    /// The failures, and the transport's error as one of them.
    var problems: [CheckFailure] {
        failures
            + [error.map { CheckFailure(offset: offset, message: "the request failed: \($0.description)") }]
            .compactMap(\.self)
    }
}

/// What happened to the requests of a file.
struct FileResult: Sendable {
    let source: RequestFileText
    var entries: [EntryResult] = []
    /// The requests after one that failed, which were not sent.
    var unsentCount = 0
    var isInterrupted = false

    var hasPassed: Bool { entries.allSatisfy(\.hasPassed) && !isInterrupted }

    var duration: Duration { entries.map(\.duration).reduce(.zero, +) }

    /// How many requests were sent, not counting retries.
    var sentCount: Int { entries.count { !$0.isSkipped } }

    var exitCode: ExitCode {
        if isInterrupted { return .interrupted }
        if let error = entries.lazy.compactMap(\.error).first { return ExitCode(error.kind) }
        return hasPassed ? .success : .checkFailed
    }
}

/// The results of a run as text.
enum RunText {
    /// The line for a file, and each failure with the line of the file.
    static func text(_ result: FileResult) -> String {
        let count = result.sentCount
        let state = result.isInterrupted ? "interrupted" : result.hasPassed ? "passed" : "failed"
        let requests = "\(count) request\(count == 1 ? "" : "s") in \(milliseconds(result.duration)) ms"
        let unsent = result.unsentCount > 0 ? ", \(result.unsentCount) not sent" : ""
        var lines = ["\(result.source.name): \(state) (\(requests)\(unsent))"]
        for entry in result.entries {
            let attempts = entry.attempts > 1 ? " (after \(entry.attempts) attempts)" : ""
            for problem in entry.problems {
                lines += ["", "\(result.source.location(of: problem.offset)): \(problem.message)\(attempts)"]
                lines += details(of: problem, in: result.source)
            }
        }
        if !result.hasPassed { lines.append("") }
        return lines.map { TerminalText.escaped($0) + "\n" }.joined()
    }

    /// The line of the file, and what was expected and found.
    static func details(of problem: CheckFailure, in source: RequestFileText) -> [String] {
        (source.excerpt(at: problem.offset) + problem.details).map { "  \($0)" }
    }

    static func summary(_ results: [FileResult]) -> String {
        let passed = results.count(where: \.hasPassed)
        let requests = results.map(\.sentCount).reduce(0, +)
        return "\(results.count) file\(results.count == 1 ? "" : "s"), \(requests) request\(requests == 1 ? "" : "s"): "
            + "\(passed) passed, \(results.count - passed) failed\n"
    }

    static func milliseconds(_ duration: Duration) -> Int { Int((duration / .milliseconds(1)).rounded()) }
}
