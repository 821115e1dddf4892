import GodwitSupport

/// Decides what a download asks for next, and knows what it has received. A pure value, and the only owner of the ticket.
struct DownloadState: Sendable {
    /// What to ask the server for.
    enum Request: Sendable, Hashable {
        case whole
        /// The first part, which shows whether the server supports ranges.
        case firstPart
        case rest(from: Int64, ResumeValidator)
    }

    enum Step: Sendable, Hashable {
        case ask(Request)
        case fetchRanges(ResumeValidator, total: Int64)
        case verify
    }

    /// Why ranges could not be fetched.
    enum RangeFault: Sendable {
        /// The content changed, or the server sends no parts after all.
        case changed
        /// The server answers a part with an error status.
        case refused
    }

    private enum Mode {
        /// Only the whole content: the request is not a GET without a body.
        case whole
        /// Only the whole content: the server uses a content coding that wasn't asked for, and the transport decodes it.
        case coded
        /// One part at a time.
        case resumable
        /// Up to this many parts at once.
        case ranges(connections: Int)
    }

    private enum Phase {
        case incomplete
        case fetchingRanges(PieceMap)
        case received
    }

    private var stored: DownloadTicket
    private var mode: Mode
    private var phase = Phase.incomplete
    private var failures = FailureStreak()
    /// The last size that the server gave with a strong entity tag.
    private var known: (tag: ResumeValidator, total: Int64)?
    /// Whether the bytes come from more than one response.
    private var isPieced = false
    private var isDiscarding = false
    private var isOver = false

    /// Whether the file was complete before the download started.
    private(set) var wasAlreadyComplete = false

    /// - Parameter isResumable: Whether the request is a GET without a body, so that parts can be requested.
    init(_ ticket: DownloadTicket, isResumable: Bool, connections: Int = 1) {
        stored = ticket
        mode = isResumable ? .ranges(connections: min(max(1, connections), 16)) : .whole
    }

    /// The ticket to resume with from here.
    var ticket: DownloadTicket {
        guard case .fetchingRanges(let pieces) = phase else { return stored }
        var ticket = stored
        ticket.offset = pieces.prefix
        ticket.pieces = pieces.beyondPrefix
        return ticket
    }

    /// The number of received bytes, those after gaps included.
    var received: Int64 {
        if case .fetchingRanges(let pieces) = phase { pieces.count } else { stored.received }
    }

    var step: Step {
        if case .received = phase { return .verify }
        if splits, received > 0, let validator = stored.validator, let total = stored.total {
            return .fetchRanges(validator, total: total)
        }
        return .ask(request)
    }

    private var request: Request {
        if splits, received == 0 { return .firstPart }
        guard isResumable, stored.offset > 0, let validator = stored.validator else { return .whole }
        return .rest(from: stored.offset, validator)
    }

    /// How many parts may be fetched at once.
    var connections: Int { if case .ranges(let connections) = mode { connections } else { 1 } }

    /// Whether parts are fetched separately: because that was asked for, or because the file has gaps already.
    private var splits: Bool {
        if case .ranges(let connections) = mode { connections > 1 || stored.pieces != nil } else { false }
    }

    private var isResumable: Bool {
        switch mode {
        case .whole, .coded: false
        case .resumable, .ranges: true
        }
    }

    /// Whether content codings are decoded by the transport.
    var isCoded: Bool { if case .coded = mode { true } else { false } }

    // MARK: The start

    /// Continues with what an earlier run has left in the partial file.
    ///
    /// - Parameters:
    ///   - saved: The ticket that the earlier run saved, if it can be used.
    ///   - size: The size of the partial file.
    /// - Returns: The size to truncate the file to; `nil` if it fits.
    mutating func resume(_ saved: DownloadTicket?, size: Int64, leftover: DownloadOptions.Leftover) -> Int64? {
        if let saved, leftover == .resume {
            // Saved before the bytes it describes, so it wins over a ticket of the caller.
            stored.validator = saved.validator
            stored.total = saved.total
            stored.reportedDigest = saved.reportedDigest
            stored.suggestedName = saved.suggestedName
            stored.pieces = saved.pieces
            stored.offset = saved.pieces == nil ? size : saved.offset
        }
        stored.offset = min(stored.offset, size)
        stored.pieces?.removeAll { $0.upperBound > size }
        let isTooLong = stored.total.map { stored.offset > $0 } ?? false
        if leftover == .discard || stored.validator == nil || isTooLong { stored.startOver() }
        failures = FailureStreak(progress: stored.offset)
        isPieced = stored.offset > 0
        if stored.total == stored.offset, stored.offset > 0 { phase = .received }
        return stored.pieces == nil && stored.offset != size ? stored.offset : nil
    }

    /// Drops what was received, as the next request can't continue it. Returns whether there was anything.
    mutating func startOver(for request: Request) -> Bool {
        if case .rest = request { return false }
        guard stored.offset > 0 else { return false }
        startOver()
        return true
    }

    mutating func startOver() {
        if case .etag? = stored.validator, let tag = stored.validator, let total = stored.total { known = (tag, total) }
        stored.startOver()
        isPieced = false
        phase = .incomplete
    }

    // MARK: Responses

    /// A response with the whole content starts.
    ///
    /// - Returns: `false` if it can't be whole: it has the entity tag of a content of another size (RFC 9110 section 8.8.1).
    mutating func begin(_ head: HTTPResponseHead, length: Int64?) -> Bool {
        startOver()
        let validator = ResumeValidator(head.fields)
        if let known, let length, known.tag == validator, known.total != length, head.isUncoded { return false }
        stored.total = length
        guard isResumable else { return true }
        stored.validator = validator
        noteDigest(head)
        return true
    }

    /// A response with the first part starts.
    ///
    /// - Returns: Its bytes; `nil` if such parts can't be combined.
    mutating func beginPart(_ head: HTTPResponseHead) -> Range<Int64>? {
        guard head.status == .partialContent, let validator = ResumeValidator(head.fields), head.isUncoded,
            let range = head.fields.agreedValue(of: .contentRange).flatMap(ContentRange.init), let bytes = range.bytes,
            let total = range.total, bytes.lowerBound == 0
        else {
            giveUpRanges()
            return nil
        }
        startOver()
        stored.total = total
        stored.validator = validator
        noteDigest(head)
        return bytes
    }

    /// A response with a further part starts.
    mutating func proceed(_ head: HTTPResponseHead, total: Int64?) {
        isPieced = true
        stored.total = total
        noteDigest(head)
    }

    private mutating func noteDigest(_ head: HTTPResponseHead) {
        if let digest = head.reportedDigest { stored.reportedDigest = digest }
    }

    /// The server suggests a file name, which counts if the destination is a folder.
    mutating func suggestName(_ head: HTTPResponseHead) {
        guard stored.isFolder, stored.suggestedName == nil else { return }
        stored.suggestedName = head.suggestedName
    }

    /// The server used a content coding that wasn't asked for. Returns `false` if it did so before.
    mutating func noteCoding() -> Bool {
        guard !isCoded else { return false }
        mode = .coded
        return true
    }

    /// Bytes of the current response are in the file.
    mutating func add(_ count: Int) {
        stored.offset += Int64(count)
    }

    /// A response ended as announced.
    mutating func finishResponse() {
        phase = stored.total.map { $0 > stored.offset } ?? false ? .incomplete : .received
    }

    /// The server says that nothing is missing.
    mutating func complete() {
        phase = .received
    }

    /// The file at the destination is complete.
    mutating func noteAlreadyComplete() {
        wasAlreadyComplete = true
    }

    /// An attempt failed, for which the request was sent this often. Returns the failures in a row without progress.
    mutating func noteFailure(sendings: Int = 1) -> FailureStreak {
        failures.count(progress: received, sendings: sendings)
    }

    // MARK: Ranges

    /// Ranges are fetched from now on.
    mutating func startRanges(total: Int64) {
        let pieces = PieceMap(total: total, present: [0..<stored.offset] + (stored.pieces ?? []))
        phase = .fetchingRanges(pieces)
        failures = FailureStreak(progress: pieces.count)
    }

    /// The next range to fetch; `nil` if every range is received or in progress.
    mutating func takeRange(upTo size: Int64) -> Range<Int64>? {
        changePieces { $0.take(upTo: size) } ?? nil
    }

    /// These bytes are in the file.
    mutating func add(_ range: Range<Int64>) {
        changePieces { $0.add(range) }
    }

    @discardableResult
    private mutating func changePieces<Value>(_ change: (inout PieceMap) -> Value) -> Value? {
        guard case .fetchingRanges(var pieces) = phase else { return nil }
        phase = .incomplete
        defer { phase = .fetchingRanges(pieces) }
        return change(&pieces)
    }

    /// No more ranges are fetched, as all are received or as some failed.
    mutating func finishRanges() {
        stored = ticket
        isPieced = true
        // Without gaps, it is a file like any other.
        if stored.offset == stored.total { stored.pieces = nil }
        finishResponse()
    }

    /// Ranges could not be fetched: the next request is for everything that is missing.
    mutating func finishRanges(_ fault: RangeFault) {
        finishRanges()
        switch fault {
        case .changed: startOver()
        case .refused: stored.pieces = nil
        }
        failures = FailureStreak(progress: stored.offset)
        giveUpRanges()
        phase = .incomplete
    }

    private mutating func giveUpRanges() {
        if case .ranges = mode { mode = .resumable }
    }

    // MARK: The end

    /// The content's digest is wrong. Returns whether to download it again, as its parts may not belong together.
    mutating func startOverAfterMismatch() -> Bool {
        defer {
            giveUpRanges()
            startOver()
        }
        return isPieced
    }

    /// The download failed.
    ///
    /// - Parameter size: The size of the partial file: part of a chunk that didn't fit on the disk may be in it.
    /// - Returns: Whether the partial file should be removed.
    mutating func fail(size: Int64) -> Bool {
        if stored.pieces == nil { stored.offset = max(stored.offset, size) }
        return isDiscarding || stored.received == 0
    }

    /// Asks to remove what was received. Returns whether the run is over, so that the caller must do it.
    mutating func discard() -> Bool {
        isDiscarding = true
        return isOver
    }

    /// The run is over, and its file closed. Returns whether to remove what it left.
    mutating func end() -> Bool {
        isOver = true
        return isDiscarding
    }
}

/// Counts failures in a row without progress.
package struct FailureStreak: Sendable, Hashable {
    /// The number of failures since the last progress.
    package private(set) var count = 0
    /// How often their requests were sent, by the transport too.
    private(set) var sendings = 0
    private var furthest: Int64

    package init(progress: Int64 = 0) {
        furthest = progress
    }

    /// Counts a failure. Returns the streak with it.
    ///
    /// - Parameter sendings: How often the request was sent. If there was progress, the last time counts.
    package mutating func count(progress: Int64, sendings: Int = 1) -> FailureStreak {
        let isFirst = progress > furthest
        count = isFirst ? 1 : count + 1
        self.sendings = isFirst ? 1 : self.sendings.saturatingAdding(max(1, sendings))
        furthest = max(furthest, progress)
        return self
    }

    /// How often a request that is sent now was sent before, in vain.
    func sendings(progress: Int64) -> Int { progress > furthest ? 0 : sendings }
}

extension HTTPResponseHead {
    /// Whether the content has no content coding.
    var isUncoded: Bool { (fields[.contentEncoding] ?? "identity").equalsIgnoringASCIICase("identity") }

    /// The file name in `Content-Disposition`, made safe (RFC 6266).
    var suggestedName: String? {
        fields.agreedValue(of: .contentDisposition).flatMap(ContentDisposition.init)?.fileName
            .flatMap(SafeFileName.init)?.text
    }

    /// The SHA-256 in `Repr-Digest` (RFC 9530).
    var reportedDigest: ContentDigest? {
        DigestField.sha256(in: .reprDigest, of: fields).flatMap(ContentDigest.init(sha256:))
    }
}
