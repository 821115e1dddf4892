import Godwit
import GodwitBackground

/// Lists, follows and changes background jobs.
struct JobsCommand {
    private let arguments: JobsArguments
    private let command: Command
    private let session: BackgroundSession

    init(_ arguments: JobsArguments, of command: Command) {
        self.arguments = arguments
        self.command = command
        session = arguments.background.makeSession(command.diagnostics)
    }

    func run() async throws(CommandFailure) -> ExitCode {
        switch arguments.action {
        case .list:
            for job in try await jobs() { try await print(JobReport.line(job), JobReport.report(job)) }
        case .follow: return try await follow()
        case .pause: try await change { id throws(NetworkError) in try await session.pause(id) }
        case .resume: try await change { id throws(NetworkError) in try await session.resume(id) }
        case .cancel: try await change { id throws(NetworkError) in try await session.cancel(id) }
        }
        return .success
    }

    /// Prints each job that ends, until the remaining jobs are paused. Returns the exit code of the first failure.
    private func follow() async throws(CommandFailure) -> ExitCode {
        var code = ExitCode.success
        var printed: Set<BackgroundJob.ID> = []
        var events = session.events.makeAsyncIterator()
        while try await jobs().contains(where: { $0.state != .paused && !printed.contains($0.id) }) {
            let event = try await CommandFailure.network { () async throws(NetworkError) in try await events.next() }
            guard let event else { return .interrupted }
            try await print(JobReport.line(event), JobReport.report(event))
            if case .failed(let failure) = event.outcome, code == .success { code = ExitCode(failure) }
            printed.insert(event.job)
            // Printed first: after an interruption the event is repeated, and not lost.
            try await CommandFailure.network { () async throws(NetworkError) in try await session.acknowledge(event) }
        }
        return code
    }

    private func change(
        _ change: (BackgroundJob.ID) async throws(NetworkError) -> Void
    ) async throws(CommandFailure) {
        let known = try await jobs()
        for prefix in arguments.jobs {
            let matching = known.filter { $0.id.uuidString.lowercased().hasPrefix(prefix) }
            guard let job = matching.first, matching.count == 1 else {
                let reason = matching.isEmpty ? "no job has the ID" : "several jobs have the ID"
                throw .usage(UsageError("\(reason) \"\(prefix)\"", command: "transfers"))
            }
            try await CommandFailure.network { () async throws(NetworkError) in try await change(job.id) }
        }
    }

    private func jobs() async throws(CommandFailure) -> [BackgroundJob] {
        try await CommandFailure.network { () async throws(NetworkError) in try await session.jobs() }
    }

    private func print(_ line: String, _ report: OrderedJSON) async throws(CommandFailure) {
        if arguments.reportsAsJSON { try await command.print(report) } else { try await command.print("\(line)\n") }
    }
}

extension ExitCode {
    /// The exit code that the same failure has in the foreground.
    fileprivate init(_ failure: BackgroundFailure) {
        let words = failure.label.split(separator: ".")
        switch words.first {
        case "file": self = .file
        case "cancelled": self = .interrupted
        case "insecure": self = .insecure
        case "timed_out": self = .timedOut
        case "offline": self = .unreachable
        case "transport" where ["cannot_resolve_host", "cannot_resolve_proxy", "cannot_connect"].contains(words.last):
            self = .unreachable
        case "invalid_url", "invalid_request", "unsupported": self = .usage
        case "redirect", "transport", "invalid_response": self = .network
        default: self = failure.status == nil ? .network : .httpStatus
        }
    }
}

/// Jobs and events as lines of text or as JSON objects.
enum JobReport {
    static func line(_ job: BackgroundJob) -> String {
        let size = job.total.map { "\(ProgressLine.size(job.completed)) of \(ProgressLine.size($0))" }
        let route = job.direction == .download ? "\(job.url) -> \(job.path)" : "\(job.path) -> \(job.url)"
        let text = "\(name(job.id))  \(job.state.rawValue)  \(size ?? ProgressLine.size(job.completed))  \(route)"
        return TerminalText.escaped(job.obstacle.map { "\(text)  (\($0))" } ?? text)
    }

    static func report(_ job: BackgroundJob) -> OrderedJSON {
        .object([
            "job": .string(name(job.id)), "direction": .string(job.direction.rawValue),
            "state": .string(job.state.rawValue), "url": .string(job.url), "path": .string(job.path),
            "completed": .number(job.completed), "total": job.total.map { .number($0) },
            "obstacle": job.obstacle.map { .string($0) },
        ])
    }

    static func line(_ event: BackgroundEvent) -> String {
        let outcome =
            switch event.outcome {
            case .downloaded(let file): "downloaded  \(file.path)"
            case .uploaded(let status, _): "uploaded  \(status)"
            case .failed(let failure): "failed  \(failure.reason)"
            }
        return TerminalText.escaped("\(name(event.job))  \(outcome)")
    }

    static func report(_ event: BackgroundEvent) -> OrderedJSON {
        let job = OrderedJSON.string(name(event.job))
        switch event.outcome {
        case .downloaded(let file):
            return .object(["job": job, "outcome": .string("downloaded"), "file": .string(file.path)])
        case .uploaded(let status, let body):
            return .object([
                "job": job, "outcome": .string("uploaded"), "status": .number(status),
                "bodyBase64": .string(body.base64EncodedString()),
            ])
        case .failed(let failure):
            return .object([
                "job": job, "outcome": .string("failed"), "kind": .string(failure.label),
                "message": .string(failure.reason), "status": failure.status.map { .number($0) },
            ])
        }
    }

    static func name(_ id: BackgroundJob.ID) -> String { id.uuidString.lowercased() }
}
