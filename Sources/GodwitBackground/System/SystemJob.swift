import GodwitCore

/// A saved job that the system transfers: its specification and state. A pure value.
struct SystemJob: Sendable {
    enum Phase: String, Sendable, Codable {
        /// The system has it.
        case pending
        case paused
        /// The content is received, and not moved yet.
        case arrived
        /// Its event is not acknowledged.
        case ended
    }

    /// What to do after an event.
    enum Step: Sendable {
        case none
        case start
        case end(BackgroundEvent.Outcome)
    }

    /// Grows with each job.
    let number: Int64
    private(set) var spec: TransferSpec
    let deadline: Date
    private(set) var phase = Phase.pending
    /// The number of its latest task, from 1.
    private(set) var attempt = 1
    private(set) var earliest: Date?
    private(set) var resumeData: Data?
    private(set) var arrival: ArrivedDownload?
    /// Identifies the file before it is moved.
    var placement: DownloadPlacement?
    private(set) var event: BackgroundEvent?
    /// The progress when it ended.
    private(set) var progress = TransferProgress()
    /// How often it failed, and how often because the server rejected it.
    private var failures = 0
    private var refusals = 0

    init(_ spec: TransferSpec, number: Int64, now: Date) {
        self.spec = spec
        self.number = number
        // Bounded by a century.
        deadline = now.addingTimeInterval(min(spec.timeLimit / .seconds(1), 3e9))
    }

    var label: SystemTaskLabel { SystemTaskLabel(job: spec.id, attempt: attempt) }

    /// The next task, with the token as it is now.
    var order: SystemTaskOrder {
        get throws(NetworkError) {
            SystemTaskOrder(
                label: label, spec: try spec.withStoredToken(), resumeData: resumeData, earliest: earliest)
        }
    }

    /// Whether it waits before the next attempt.
    func rests(at now: Date) -> Bool { earliest.map { $0 > now } ?? false }
}

// MARK: - Commands
extension SystemJob {
    /// Returns `false` if the job must not be paused.
    mutating func pause() -> Bool {
        guard phase == .pending, spec.direction == .download || spec.isRepeatable else { return false }
        phase = .paused
        return true
    }

    /// Returns `false` if the job was not paused.
    mutating func resume() -> Bool {
        guard phase == .paused else { return false }
        phase = .pending
        begin(after: nil)
        return true
    }

    /// Keeps the resume data of the stopped task.
    mutating func keep(_ data: Data?, of label: SystemTaskLabel) {
        if phase == .paused, label == self.label { resumeData = data }
    }

    /// The user's home folder has moved.
    mutating func move(from home: String, to other: String) {
        func moved(_ path: String) -> String {
            path.hasPrefix(home + "/") ? other + path.dropFirst(home.count) : path
        }
        spec = spec.moved(to: moved(spec.path))
        guard let event, case .downloaded(let file) = event.outcome else { return }
        let place = URL(filePath: moved(file.path), directoryHint: .notDirectory)
        self.event = BackgroundEvent(id: event.id, job: event.job, outcome: .downloaded(place))
    }

    mutating func end(_ outcome: BackgroundEvent.Outcome, number: Int64, after progress: TransferProgress?) {
        phase = .ended
        event = BackgroundEvent(id: number, job: spec.id, outcome: outcome)
        if let progress { self.progress = progress }
        // They may contain credentials.
        spec = spec.withoutFields
        resumeData = nil
        arrival = nil
        placement = nil
    }
}

// MARK: - Events of the system
extension SystemJob {
    /// Whether received content can be used, from any of its tasks.
    var takesContent: Bool { phase == .pending || phase == .paused }

    mutating func arrive(_ head: HTTPResponseHead) {
        phase = .arrived
        arrival = ArrivedDownload(head)
    }

    /// A task ended with a response.
    mutating func take(
        _ head: HTTPResponseHead, _ answer: Data, of label: SystemTaskLabel, _ rules: SystemRules
    ) -> Step {
        guard takesContent else { return .none }
        if head.status.isSuccessful, spec.direction == .upload {
            return .end(.uploaded(status: head.status.code, answer: answer))
        }
        // A download's content is reported separately.
        guard !head.status.isSuccessful, label == self.label else { return .none }
        let response = HTTPResponse(head: head, request: HTTPRequest(method: spec.method, url: spec.url))
        let error = NetworkError(response, body: answer, readers: [], coding: JSONCoding())
        refusals += 1
        if head.status == .unauthorized, spec.tokenFile != nil, resumeData != nil {
            // What the system resumes has the token of its first request.
            resumeData = nil
            return retry(asked: nil, rules)
        }
        guard error.isRetryable, refusals < rules.refusalLimit else {
            return .end(.failed(BackgroundFailure(error)))
        }
        return retry(asked: error.suggestedRetryDelay, rules)
    }

    /// A task ended without a response.
    mutating func fail(
        _ kind: NetworkError.Kind, resumeData data: Data?, of label: SystemTaskLabel, _ rules: SystemRules
    ) -> Step {
        // For a paused job, the caller that stopped the task keeps the resume data.
        guard phase == .pending, label == self.label else { return .none }
        let isResumed = resumeData != nil
        resumeData = data
        guard spec.direction == .download || spec.isRepeatable || kind.isBeforeSending else {
            return .end(.failed(.interrupted))
        }
        let error = NetworkError(kind, phase: .receiving)
        var mayRepeat = error.isRetryable
        switch kind {
        // The user force-quit the program, and the system canceled its transfers.
        case .cancelled: mayRepeat = true
        // The partial file is gone, or the system can't read its resume data.
        case .file where isResumed && data == nil, .invalidURL where isResumed && data == nil: mayRepeat = true
        default: break
        }
        return mayRepeat ? retry(asked: nil, rules) : .end(.failed(BackgroundFailure(error)))
    }

    /// The system lost the job's task.
    mutating func lose() -> Step {
        guard phase == .pending else { return .none }
        guard spec.direction == .download || spec.isRepeatable else { return .end(.failed(.interrupted)) }
        begin(after: nil)
        return .start
    }

    /// - Parameter asked: The delay that the server asks for.
    private mutating func retry(asked: Duration?, _ rules: SystemRules) -> Step {
        let now = rules.now()
        if deadline <= now { return .end(.failed(.outOfTime)) }
        failures += 1
        if phase == .paused { return .none }
        var generator = SystemRandomNumberGenerator()
        let delay = rules.backoff.delay(afterFailure: failures, using: &generator)
        let rest = RetryPause(delay, asked: asked, longest: rules.longestRetryAfter).duration / .seconds(1)
        begin(after: rest > 0 ? now.addingTimeInterval(rest) : nil)
        return .start
    }

    private mutating func begin(after earliest: Date?) {
        attempt += 1
        self.earliest = earliest
    }
}

extension NetworkError.Kind {
    /// Whether the server can't have received any of the body.
    fileprivate var isBeforeSending: Bool {
        switch self {
        case .offline, .transport(.cannotResolveHost), .transport(.cannotResolveProxy), .transport(.cannotConnect),
            .transport(.tooManyOpenFiles), .insecure, .invalidURL, .file:
            true
        default: false
        }
    }
}

extension SystemJob: Codable {
    private enum Key: String, CodingKey {
        case version, number, spec, deadline, phase, attempt, earliest, resumeData, arrival, placement, event
        case completed, total, failures, refusals
    }

    /// Increase it with each change that an older program would misread.
    private static let version = 1

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        guard try values.decode(Int.self, forKey: .version) == Self.version else { throw TransferRefusal.version }
        number = try values.decode(Int64.self, forKey: .number)
        spec = try values.decode(TransferSpec.self, forKey: .spec)
        deadline = try values.decode(Date.self, forKey: .deadline)
        phase = try values.decode(Phase.self, forKey: .phase)
        attempt = try values.decode(Int.self, forKey: .attempt)
        earliest = try values.decodeIfPresent(Date.self, forKey: .earliest)
        resumeData = try values.decodeIfPresent(Data.self, forKey: .resumeData)
        arrival = try values.decodeIfPresent(ArrivedDownload.self, forKey: .arrival)
        placement = try values.decodeIfPresent(DownloadPlacement.self, forKey: .placement)
        event = try values.decodeIfPresent(BackgroundEvent.self, forKey: .event)
        progress.completed = try values.decode(Int64.self, forKey: .completed)
        progress.total = try values.decodeIfPresent(Int64.self, forKey: .total)
        failures = try values.decode(Int.self, forKey: .failures)
        refusals = try values.decode(Int.self, forKey: .refusals)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(Self.version, forKey: .version)
        try values.encode(number, forKey: .number)
        try values.encode(spec, forKey: .spec)
        try values.encode(deadline, forKey: .deadline)
        try values.encode(phase, forKey: .phase)
        try values.encode(attempt, forKey: .attempt)
        try values.encodeIfPresent(earliest, forKey: .earliest)
        try values.encodeIfPresent(resumeData, forKey: .resumeData)
        try values.encodeIfPresent(arrival, forKey: .arrival)
        try values.encodeIfPresent(placement, forKey: .placement)
        try values.encodeIfPresent(event, forKey: .event)
        try values.encode(progress.completed, forKey: .completed)
        try values.encodeIfPresent(progress.total, forKey: .total)
        try values.encode(failures, forKey: .failures)
        try values.encode(refusals, forKey: .refusals)
    }
}
