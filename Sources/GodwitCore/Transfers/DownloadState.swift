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
    /// How many parts are fetched at once.
    let connections: Int
    /// Whether the server is not to be asked for several parts any more.
    var givesUpRanges = false
    /// Whether the last attempt broke.
    var isBroken = false
    private let canResume: Bool

    /// - Parameter canResume: Whether the request is one of which parts can be asked for.
    init(_ ticket: DownloadTicket, canResume: Bool, connections: Int = 1) {
        self.ticket = ticket
        self.connections = min(max(1, connections), 16)
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

    /// Whether parts may be fetched on their own: where that is wanted, or where the file has gaps already.
    var mayFetchRanges: Bool {
        canResume && !isCoded && !givesUpRanges && (connections > 1 || ticket.pieces != nil)
    }

    /// Whether to ask for a first part, which shows whether there are others.
    var probesRanges: Bool { mayFetchRanges && ticket.received == 0 }

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

    /// An answer with the first part begins: which bytes it has; nil where parts like it cannot be put together.
    mutating func beginPart(_ head: HTTPResponseHead) -> Range<Int64>? {
        guard head.status == .partialContent, let validator = ResumeValidator(head.fields),
            head.fields[.contentEncoding]?.equalsIgnoringASCIICase("identity") ?? true,
            let range = head.fields.agreedValue(of: .contentRange).flatMap(ContentRange.init), let bytes = range.bytes,
            let total = range.total, bytes.lowerBound == 0
        else { return nil }
        startOver()
        ticket.total = total
        ticket.validator = validator
        noteDigest(head)
        return bytes
    }

    /// Several parts were fetched; these are there.
    mutating func take(_ ticket: DownloadTicket) {
        self.ticket = ticket
        isPieced = true
        // All in one piece, it is a file as any other.
        if ticket.offset == ticket.total { self.ticket.pieces = nil }
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
