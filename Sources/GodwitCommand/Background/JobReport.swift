import Godwit

/// Jobs and events as the output shows them: a line each, or a JSON object each.
enum JobReport {
    static func line(_ job: BackgroundJob) -> String {
        let size = job.total.map { "\(ProgressLine.size(job.completed)) of \(ProgressLine.size($0))" }
        let way = job.direction == .download ? "\(job.url) -> \(job.path)" : "\(job.path) -> \(job.url)"
        let text = "\(name(job.id))  \(job.state.rawValue)  \(size ?? ProgressLine.size(job.completed))  \(way)"
        return TerminalText.safe(text)
    }

    static func report(_ job: BackgroundJob) -> JSONText {
        .object([
            "job": .string(name(job.id)), "direction": .string(job.direction.rawValue),
            "state": .string(job.state.rawValue), "url": .string(job.url), "path": .string(job.path),
            "completed": .number(job.completed), "total": job.total.map { .number($0) },
        ])
    }

    static func line(_ event: BackgroundEvent) -> String {
        let outcome =
            switch event.outcome {
            case .downloaded(let file): "downloaded  \(file.path)"
            case .uploaded(let status, _): "uploaded  \(status)"
            case .failed(let failure): "failed  \(failure.reason)"
            }
        return TerminalText.safe("\(name(event.job))  \(outcome)")
    }

    static func report(_ event: BackgroundEvent) -> JSONText {
        let job = JSONText.string(name(event.job))
        switch event.outcome {
        case .downloaded(let file):
            return .object(["job": job, "outcome": .string("downloaded"), "file": .string(file.path)])
        case .uploaded(let status, let answer):
            return .object([
                "job": job, "outcome": .string("uploaded"), "status": .number(status),
                "bodyBase64": .string(answer.base64EncodedString()),
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
