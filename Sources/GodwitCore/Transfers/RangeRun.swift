/// Fetches what is missing of a content over several connections at once, every range under the same validator.
struct RangeRun: Sendable {
    private static let smallestPiece: Int64 = 1 << 20
    private static let largestPiece: Int64 = 16 << 20

    private let run: DownloadRun
    private let file: PartialFile
    private let validator: ResumeValidator
    private let connections: Int
    private let board: RangeBoard

    /// Nil where parts cannot be asked for, or are not wanted.
    init?(_ run: DownloadRun, _ state: DownloadState, _ file: PartialFile) {
        guard state.mayFetchRanges, state.ticket.received > 0, let validator = state.ticket.validator,
            let total = state.ticket.total
        else { return nil }
        self.run = run
        self.file = file
        self.validator = validator
        connections = state.connections
        board = RangeBoard(state.ticket, total: total, run.ledger, run.observer, now: run.timeline.now)
    }

    /// Runs until everything is there. What is there in the end is in the state, however it ends.
    func callAsFunction(_ state: inout DownloadState) async throws(RangeFailure) {
        // From now on the file has gaps. Whoever finds it must know that before the first byte is written.
        try keep()
        let failure = await withTaskGroup(of: RangeFailure?.self) { group in
            for _ in 0..<connections { group.addTask { await work() } }
            var first: RangeFailure?
            for await failure in group where failure != nil && first == nil {
                // What the others end with is only that they were stopped.
                first = failure
                group.cancelAll()
            }
            return first
        }
        state.take(board.ticket)
        if let failure { throw failure }
    }

    /// Fetches one piece after the other; what kept it from going on.
    private func work() async -> RangeFailure? {
        do throws(RangeFailure) {
            while let piece = board.take(upTo: pieceSize) {
                var missing = piece
                while !missing.isEmpty { missing = try await fetch(missing) }
                try keep()
            }
            return nil
        } catch {
            return error
        }
    }

    private func keep() throws(RangeFailure) {
        do throws(NetworkError) {
            try store()
        } catch {
            throw .failed(error)
        }
    }

    /// Writes the ticket. It must not speak of bytes that a power cut takes away: of gaps the file's size says nothing.
    private func store() throws(NetworkError) {
        try board.store { () throws(NetworkError) in
            if run.options.synchronizesToDisk { try file.synchronize() }
        }
    }

    private var pieceSize: Int64 {
        min(max(board.total / Int64(connections * 4), Self.smallestPiece), Self.largestPiece)
    }

    /// What is still missing of a piece after one attempt.
    private func fetch(_ piece: Range<Int64>) async throws(RangeFailure) -> Range<Int64> {
        var place = piece.lowerBound
        do throws(RangeFailure) {
            let (body, end) = try await answer(for: piece)
            try await write(body, upTo: end, at: &place)
        } catch {
            guard case .failed(let cause) = error else { throw error }
            let failures = board.noteFailure()
            do throws(NetworkError) {
                try await run.rest(after: cause, failures: failures)
            } catch {
                throw .failed(error)
            }
        }
        return place..<piece.upperBound
    }

    private func answer(for piece: Range<Int64>) async throws(RangeFailure) -> (HTTPBody, end: Int64) {
        let response: HTTPResponse
        do throws(NetworkError) {
            response = try await run.api.accepted(request(for: piece))
        } catch {
            // A server that asks to wait gives parts again later.
            throw error.response == nil || error.suggestedRetryDelay != nil ? .failed(error) : .refused
        }
        let fields = response.head.fields
        // A server may send less than it was asked for, and nothing else.
        guard response.head.status == .partialContent, !validator.isContradicted(by: fields),
            fields[.contentEncoding]?.equalsIgnoringASCIICase("identity") ?? true,
            let range = fields.agreedValue(of: .contentRange).flatMap(ContentRange.init), let bytes = range.bytes,
            range.total ?? board.total == board.total, bytes.lowerBound == piece.lowerBound,
            bytes.upperBound <= piece.upperBound
        else { throw .changed }
        return (response.body, bytes.upperBound)
    }

    private func request(for piece: Range<Int64>) -> HTTPRequest {
        var request = run.request
        request.fields[.acceptEncoding] = "identity"
        request.fields[.range] = "bytes=\(piece.lowerBound)-\(piece.upperBound - 1)"
        request.fields[.ifRange] = validator.condition
        return request
    }

    private func write(_ body: HTTPBody, upTo end: Int64, at place: inout Int64) async throws(RangeFailure) {
        do throws(NetworkError) {
            for try await chunk in body {
                guard Int64(chunk.count) <= end - place else { throw DownloadRun.excess }
                try file.write(chunk, at: place)
                board.add(place..<(place + Int64(chunk.count)))
                place += Int64(chunk.count)
                if board.isDue(at: run.timeline.now) { try store() }
            }
            guard place == end else { throw run.prematureEnd }
        } catch {
            throw .failed(error)
        }
    }
}

/// Why ranges could not all be fetched.
enum RangeFailure: Error {
    /// What is there is no longer what the server has, or the server gives no parts after all.
    case changed
    /// The server answers a part with a status that is an error.
    case refused
    case failed(NetworkError)
}
