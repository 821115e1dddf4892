/// How far a download has come, and how it got there. A pure value.
struct DownloadState: Sendable {
    /// What would be needed to go on later.
    var ticket: DownloadTicket
    /// The most bytes that were ever there: who gets further makes progress.
    private var furthest: Int64 = 0
    /// Attempts that broke without getting further, in a row.
    private(set) var failures = 0
    /// Whether the bytes come from more than one answer.
    private(set) var isPieced = false
    /// Whether the server answers in content codings that nobody asked for: they are undone, and no part can be asked for.
    var isCoded = false
    /// Whether the last attempt broke.
    var isBroken = false
    private let canResume: Bool

    /// - Parameter canResume: Whether the request is one of which parts can be asked for.
    init(_ ticket: DownloadTicket, canResume: Bool) {
        self.ticket = ticket
        self.canResume = canResume
        furthest = ticket.offset
        isPieced = ticket.offset > 0
    }

    /// Whether everything is there.
    var isComplete: Bool { ticket.total == ticket.offset && ticket.offset > 0 }

    /// From where to ask on, and for what; nil to ask for the whole.
    var resumption: (offset: Int64, validator: ResumeValidator)? {
        guard canResume, !isCoded, ticket.offset > 0, let validator = ticket.validator else { return nil }
        return (ticket.offset, validator)
    }

    /// So many more bytes are there.
    mutating func add(_ count: Int) {
        ticket.offset += Int64(count)
    }

    /// What is there is thrown away.
    mutating func startOver() {
        ticket.startOver()
        isPieced = false
    }

    /// An answer with the whole content begins.
    mutating func begin(_ head: HTTPResponseHead, length: Int64?) {
        startOver()
        ticket.total = length
        guard canResume, !isCoded else { return }
        ticket.validator = ResumeValidator(head.fields)
        noteDigest(head)
    }

    /// An answer with a further part begins.
    mutating func proceed(_ head: HTTPResponseHead, total: Int64?) {
        isPieced = true
        ticket.total = total
        noteDigest(head)
    }

    /// An attempt broke: which one in a row that got no further, from 1.
    mutating func noteFailure() -> Int {
        failures = ticket.offset > furthest ? 1 : failures + 1
        furthest = max(furthest, ticket.offset)
        return failures
    }

    private mutating func noteDigest(_ head: HTTPResponseHead) {
        if let bytes = ReprDigest.sha256(head.fields) { ticket.reportedDigest = ContentDigest(sha256: bytes) }
    }
}
