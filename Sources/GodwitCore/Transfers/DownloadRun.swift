/// One run of a download: asks, writes, asks again where it broke, and puts the file into its place.
struct DownloadRun: Sendable {
    let api: APIClient
    /// What is asked for, without what concerns parts.
    let request: HTTPRequest
    let options: DownloadOptions
    let ledger: DownloadLedger
    let observer: TransferObserver
    let timeline: Timeline
    /// Is told before each move to where the file goes; what it throws ends the run, and nothing is moved.
    var placing: DownloadPlacement.Note?

    /// Downloads, and returns the file. What was received stays for another run where this one fails.
    func callAsFunction(_ ticket: DownloadTicket) async throws(NetworkError) -> URL {
        let place = ticket.place
        if let whole = try await existing(ticket) { return whole }
        try refuseExisting(place.knownTarget, ticket)
        let file = try PartialFile(place.partialFile, for: place.target(named: ticket.suggestedName).lastPathComponent)
        var state = DownloadState(
            try leftover(ticket, file), canResume: isResumable, connections: options.parallelRanges)
        observer.jump(to: state.ticket.received, total: state.ticket.total)
        let result = await outcome(&state, file)
        leave(state, file, result)
        observer.conclude(state.ticket.received, total: state.ticket.total)
        return try result.get()
    }

    private func outcome(_ state: inout DownloadState, _ file: PartialFile) async -> Result<URL, NetworkError> {
        do throws(NetworkError) {
            while true {
                if !state.isComplete { try await receiveAll(&state, file) }
                if options.synchronizesToDisk { try file.synchronize() }
                guard try await isAsExpected(&state, file) else { continue }
                return .success(try await finish(state, file))
            }
        } catch {
            return .failure(error)
        }
    }

    /// Whether parts of the content can be asked for.
    var isResumable: Bool { request.method == .get && request.body == nil }

    // MARK: - What is there

    /// The file that is in the place of the new one, if it is to be kept and the server says that it is whole.
    private func existing(_ ticket: DownloadTicket) async throws(NetworkError) -> URL? {
        guard options.existingFile == .keepIfComplete,
            let existing = ExistingDownload(self, at: ticket.place.target(named: ticket.suggestedName))
        else { return nil }
        try await existing.confirm()
        ledger.noteAlreadyComplete()
        observer.conclude(existing.size, total: existing.size)
        return existing.file
    }

    /// What an earlier run has left, where it fits, and the file cut accordingly.
    private func leftover(_ ticket: DownloadTicket, _ file: PartialFile) throws(NetworkError) -> DownloadTicket {
        var ticket = ticket
        let size = try file.size()
        let kept = options.leftover == .resume ? DownloadLedger.storedTicket(of: ticket) : nil
        if let kept {
            // Written before the bytes it speaks of, so it counts more than a ticket of the caller's.
            ticket.validator = kept.validator
            ticket.total = kept.total
            ticket.reportedDigest = kept.reportedDigest
            ticket.suggestedName = kept.suggestedName
            ticket.pieces = kept.pieces
            ticket.offset = kept.pieces == nil ? size : kept.offset
        }
        ticket.offset = min(ticket.offset, size)
        ticket.pieces?.removeAll { $0.upperBound > size }
        let isTooLong = ticket.total.map { ticket.offset > $0 } ?? false
        if options.leftover == .discard || ticket.validator == nil || isTooLong { ticket.startOver() }
        if ticket.pieces == nil, ticket.offset != size { try file.cut(to: ticket.offset) }
        return ticket
    }

    private func leave(_ state: DownloadState, _ file: PartialFile, _ result: Result<URL, NetworkError>) {
        var ticket = state.ticket
        if case .success = result { return ledger.forget(ticket) }
        if ticket.pieces == nil {
            // Of a chunk that did not fit on the disk, the beginning may be there.
            ticket.offset = max(ticket.offset, (try? file.size()) ?? 0)
            ledger.note(ticket)
        } else {
            try? ledger.store(ticket)
        }
        guard ledger.isDiscarding || ticket.received == 0 else { return }
        file.remove()
        ledger.forget(ticket)
    }

    // MARK: - Receiving

    /// Receives until everything is there, and asks again where it broke.
    private func receiveAll(_ state: inout DownloadState, _ file: PartialFile) async throws(NetworkError) {
        repeat {
            if let ranges = RangeRun(self, state, file) {
                try await fetch(ranges, &state, file)
                continue
            }
            guard let answer = try await DownloadExchange(run: self).answer(&state, file) else { return }
            do throws(NetworkError) {
                try await write(answer, &state, file)
            } catch {
                try await rest(after: error, &state)
            }
        } while state.ticket.total.map { $0 > state.ticket.offset } ?? false || state.isBroken
    }

    /// Fetches several parts at once; where that does not work, the next attempt is for all that is missing.
    private func fetch(
        _ ranges: RangeRun, _ state: inout DownloadState, _ file: PartialFile
    ) async throws(NetworkError) {
        state.isBroken = false
        do throws(RangeFailure) {
            try await ranges(&state)
        } catch {
            switch error {
            case .failed(let cause): throw cause
            case .changed: state.startOver()
            case .refused: state.ticket.pieces = nil
            }
            try file.cut(to: state.ticket.offset)
            state.givesUpRanges = true
            state.isBroken = true
        }
    }

    private func write(
        _ answer: DownloadExchange.Answer, _ state: inout DownloadState, _ file: PartialFile
    ) async throws(NetworkError) {
        state.isBroken = false
        for try await chunk in answer.body {
            guard Int64(chunk.count) <= answer.end - state.ticket.offset else { throw Self.excess }
            try file.write(chunk, at: state.ticket.offset)
            state.add(chunk.count)
            observer.advance(to: state.ticket.offset, total: state.ticket.total)
        }
        guard answer.end == .max || state.ticket.offset == answer.end else { throw prematureEnd }
    }

    static let excess = NetworkError(
        .invalidResponse(reason: "the server sent more than the part it announced"), phase: .receiving)

    var prematureEnd: NetworkError {
        NetworkError(
            .transport(.connectionLost("the content ended before its announced end")), phase: .receiving,
            request: request)
    }

    /// Waits for the next attempt; throws the error where there is to be none.
    private func rest(after error: NetworkError, _ state: inout DownloadState) async throws(NetworkError) {
        state.isBroken = true
        try await rest(after: error, failures: state.noteFailure())
    }

    /// - Parameter failures: How many broke in a row without getting further, this one included.
    func rest(after error: NetworkError, failures: Int) async throws(NetworkError) {
        guard error.isWorthRepeating, isResumable else { throw error }
        guard failures < attemptLimit else { throw error }
        var generator = SystemRandomNumberGenerator()
        let asked = error.suggestedRetryDelay ?? .zero
        guard asked <= api.configuration.retry.longestRetryAfter else { throw error }
        let delay = max(asked, api.configuration.retry.backoff.delay(afterFailure: failures, using: &generator))
        do throws(CancellationError) {
            try await timeline.sleep(for: delay)
        } catch {
            throw NetworkError(.cancelled, phase: .receiving, request: request)
        }
    }

    private var attemptLimit: Int {
        switch request.options.retry {
        case .never: 1
        case .attempts(let count): count
        case nil: api.configuration.retry.maximumAttempts
        }
    }

    // MARK: - The end

    /// Whether the content is what it has to be; false where it is to be received again.
    private func isAsExpected(_ state: inout DownloadState, _ file: PartialFile) async throws(NetworkError) -> Bool {
        let fault = try await file.fault(expecting: [state.ticket.digest, state.ticket.reportedDigest])
        guard let fault else { return true }
        let wasPieced = state.isPieced
        state.givesUpRanges = true
        state.startOver()
        try file.cut(to: 0)
        // Pieces that do not fit together are the one cause that asking again can cure.
        if wasPieced { return false }
        throw NetworkError(fault, phase: .receiving, request: request)
    }

    private func finish(_ state: DownloadState, _ file: PartialFile) async throws(NetworkError) -> URL {
        let finish = DownloadFinish(
            place: state.ticket.place, suggestedName: state.ticket.suggestedName, existingFile: options.existingFile,
            synchronizesToDisk: options.synchronizesToDisk, isExcludedFromBackup: options.isExcludedFromBackup,
            placing: placing)
        return try await finish(file)
    }

    func refuseExisting(_ target: URL?, _ ticket: DownloadTicket) throws(NetworkError) {
        guard options.existingFile.keepsOld, let target, DownloadPlace.exists(target) else { return }
        throw DownloadFinish.exists(target)
    }
}
