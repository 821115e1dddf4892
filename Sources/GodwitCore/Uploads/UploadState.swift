import GodwitSupport

/// Decides what an upload sends next, and knows what the server has. A pure value, and the only owner of the ticket.
struct UploadState: Sendable {
    /// What to do next for a part.
    enum Step: Sendable, Hashable {
        /// Create it, with its first bytes.
        case create(first: Range<Int64>)
        /// Ask how much of it the server has.
        case locate(HTTPURL)
        /// Send these bytes of the file.
        case append(HTTPURL, Range<Int64>)
        case done
    }

    private(set) var ticket: UploadTicket
    private var failures: FailureStreak
    /// The number of bytes of each part that were sent, confirmed or not.
    private var sent: [Int64]
    private var isDiscarding = false
    private var isOver = false
    private(set) var startOvers: [UploadStartOver] = []

    /// - Parameter ticket: What is known from an earlier run is asked for before anything is sent.
    init(_ ticket: UploadTicket) {
        self.ticket = ticket
        for index in self.ticket.parts.indices { self.ticket.parts[index].isUncertain = true }
        sent = ticket.parts.map(\.offset)
        failures = FailureStreak(progress: ticket.offset)
    }

    /// The number of bytes that were sent, those of earlier runs included.
    var completed: Int64 { sent.reduce(0) { $0.saturatingAdding($1) } }

    /// Whether the server knows anything of the upload.
    var isCreated: Bool { ticket.parts.contains { $0.location != nil } }

    /// The next step for a part.
    func step(_ index: Int) -> Step {
        let part = ticket.parts[index]
        if part.isComplete { return .done }
        guard let location = part.location else { return .create(first: firstBytes(of: part)) }
        if part.isUncertain { return .locate(location) }
        return .append(location, chunk(of: part))
    }

    private func chunk(of part: UploadPart) -> Range<Int64> {
        let start = part.range.lowerBound + part.offset
        return start..<(start + min(ticket.chunk, part.size - part.offset))
    }

    /// A part that is created by its first bytes loses them if the connection breaks before its URL is known. So tus
    /// parts are created with bytes only if that saves a request: if they are all.
    private func firstBytes(of part: UploadPart) -> Range<Int64> {
        let start = part.range.lowerBound
        switch ticket.server ?? .unknown {
        case .tus(let server):
            let isWhole = part.size <= ticket.chunk && server.extensions.contains(.creationWithUpload)
            return isWhole && !ticket.isSplit ? part.range : start..<start
        case .ietf: return chunk(of: part)
        case .unknown, .presigned: return part.range
        }
    }

    // MARK: What the server says

    /// The server's capabilities are known, before anything was created.
    mutating func discover(_ server: UploadServer, parts count: Int) {
        ticket.server = server
        guard !isCreated else { return }
        ticket.parts = server.concatenates ? UploadPart.split(ticket.source.size, into: count) : ticket.parts
        sent = ticket.parts.map { _ in 0 }
    }

    mutating func create(_ index: Int, at location: HTTPURL) {
        ticket.parts[index].location = location
    }

    /// The server has so many bytes of a part.
    ///
    /// - Parameters:
    ///   - limit: How many it can have at most.
    ///   - isComplete: Whether it says that it has all; `nil` if it doesn't say.
    /// - Returns: Why that can't be; `nil` if it can.
    mutating func confirm(_ index: Int, _ offset: Int64, limit: Int64, isComplete: Bool? = nil) -> String? {
        let part = ticket.parts[index]
        if offset > limit { return "the server claims \(offset) bytes, but only \(limit) were sent" }
        if offset < part.offset { return "the server has \(offset) bytes after it confirmed \(part.offset)" }
        ticket.parts[index].offset = offset
        ticket.parts[index].isUncertain = false
        ticket.parts[index].isComplete = isComplete ?? (offset == part.size)
        sent[index] = max(sent[index], offset)
        return nil
    }

    mutating func complete(_ index: Int) {
        ticket.parts[index].offset = ticket.parts[index].size
        ticket.parts[index].isComplete = true
        sent[index] = ticket.parts[index].size
    }

    /// The server has a part, under this tag.
    mutating func complete(_ index: Int, etag: String) {
        complete(index)
        ticket.parts[index].etag = etag
    }

    /// The server forgets the upload at this time.
    mutating func note(expires: Date?) {
        if let expires { ticket.expires = expires }
    }

    /// Bytes of a part were sent. Returns the bytes of all parts.
    mutating func send(_ index: Int, upTo offset: Int64) -> Int64 {
        sent[index] = min(max(sent[index], offset), ticket.parts[index].size)
        return completed
    }

    // MARK: Failures

    /// How often a request that is sent now was sent before, since the last progress.
    var earlierSendings: Int { failures.sendings(progress: ticket.offset) }

    /// The server answered, or isn't asked again: what follows is another request.
    mutating func noteAnswer() {
        failures = FailureStreak(progress: ticket.offset)
    }

    /// An attempt failed. Returns the failures in a row without progress, this one included.
    mutating func noteFailure(_ index: Int, sendings: Int) -> FailureStreak {
        ticket.parts[index].isUncertain = true
        return failures.count(progress: ticket.offset, sendings: sendings)
    }

    /// The parts couldn't be joined, perhaps because the server lost some.
    mutating func noteFailure(sendings: Int) -> FailureStreak {
        for index in ticket.parts.indices {
            ticket.parts[index].isUncertain = true
            ticket.parts[index].isComplete = false
        }
        return failures.count(progress: ticket.offset, sendings: sendings)
    }

    /// A request failed, and is sent again as a whole: one for a part, or the one that asks what the server speaks. Returns the
    /// failures in a row.
    mutating func noteRejection(sendings: Int) -> FailureStreak {
        failures.count(progress: ticket.offset, sendings: sendings)
    }

    /// The server no longer has a part.
    mutating func startOver(_ index: Int, _ reason: UploadStartOver.Reason) {
        startOvers.append(UploadStartOver(reason: reason, lostBytes: ticket.parts[index].offset))
        ticket.parts[index].startOver()
        sent[index] = 0
    }

    // MARK: The end

    /// Asks to end the upload at the server too. Returns whether the run is over, so that the caller must do it.
    mutating func discard() -> Bool {
        isDiscarding = true
        return isOver
    }

    /// The run is over. Returns whether to end the upload at the server.
    mutating func end() -> Bool {
        isOver = true
        return isDiscarding
    }
}

/// An upload had to send bytes again that the server had received.
public struct UploadStartOver: Sendable, Hashable {
    /// Why the server no longer has them.
    public enum Reason: String, Sendable, Hashable {
        /// The server doesn't know the upload (404 or 410).
        case lost
        /// The server doesn't know the upload, and its time was up.
        case expired
    }

    /// Why the upload started over.
    public let reason: Reason

    /// The bytes that the server had confirmed before.
    public let lostBytes: Int64
}
