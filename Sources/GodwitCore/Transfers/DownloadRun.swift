import GodwitSupport

/// Does what ``DownloadState`` decides: sends requests, writes to the partial file, and moves it to its destination.
struct DownloadRun: Sendable {
    let api: APIClient
    /// The request for the whole content.
    let request: HTTPRequest
    let options: DownloadOptions
    let record: DownloadRecord
    let observer: TransferObserver
    let timeline: Timeline
    /// Called before each move with the destination. An error ends the run, and nothing is moved.
    var placing: DownloadPlacement.Note?

    /// Downloads, and returns the file. After a failure, what was received stays for another run.
    func callAsFunction() async throws(NetworkError) -> URL {
        let ticket = record.ticket
        let place = ticket.place
        if let existing = try await existing(ticket) { return existing }
        if place.isSpecial { return try await write(to: place.destination) }
        try checkTarget(place.knownTarget)
        let file = try PartialFile(place.partialFile, for: place.target(named: ticket.suggestedName).lastPathComponent)
        try resume(file, ticket)
        do throws(NetworkError) {
            let url = try await receive(file)
            place.removeTicket()
            conclude()
            return url
        } catch {
            await fail(file)
            throw error
        }
    }

    private func receive(_ file: PartialFile) async throws(NetworkError) -> URL {
        while true {
            switch record.update(\.step) {
            case .ask(let request): try await ask(request, file)
            case .fetchRanges(let validator, let total):
                try await RangeRun(run: self, file: file, validator: validator, total: total)()
            case .verify:
                if options.synchronizesToDisk { try await file.synchronize() }
                if try await isAsExpected(file) { return try await move(file) }
            }
        }
    }

    /// Sends a request. A response that has a part of the content has status 206 then, also if the server says 200.
    func accepted(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        var response = try await api.accepted(request)
        if response.head.status == .ok, ContentRange.isPart(response.head.fields, length: response.body.length) {
            response.head.status = .partialContent
        }
        return response
    }

    // MARK: The start

    /// The file at the destination, if it should be kept and the server says that it is complete.
    private func existing(_ ticket: DownloadTicket) async throws(NetworkError) -> URL? {
        guard options.existingFile == .keepIfComplete, request.isResumable,
            let existing = ExistingDownload(self, at: ticket.place.target(named: ticket.suggestedName))
        else { return nil }
        try await existing.confirm()
        record.update { $0.noteAlreadyComplete() }
        observer.conclude(existing.size, total: existing.size)
        return existing.file
    }

    private func resume(_ file: PartialFile, _ ticket: DownloadTicket) throws(NetworkError) {
        let size = try file.size()
        let saved = options.leftover == .resume ? DownloadRecord.savedTicket(like: ticket) : nil
        let (newSize, received, total) = record.update { state in
            let newSize = state.resume(saved, size: size, leftover: options.leftover)
            return (newSize, state.received, state.ticket.total)
        }
        if let newSize { try file.truncate(to: newSize) }
        observer.jump(to: received, total: total)
    }

    // MARK: Receiving

    private func ask(_ request: DownloadState.Request, _ file: PartialFile) async throws(NetworkError) {
        guard let response = try await DownloadExchange(run: self, file: file).response(to: request) else { return }
        do throws(NetworkError) {
            var place = record.ticket.offset
            for try await chunk in response.body {
                guard Int64(chunk.count) <= response.end - place else { throw Self.excess }
                try file.write(chunk, at: place)
                place += Int64(chunk.count)
                record.update { $0.add(chunk.count) }
                observer.advance(to: place, total: response.total)
            }
            guard response.end == .max || place == response.end else { throw prematureEnd }
            record.update { $0.finishResponse() }
        } catch {
            try await wait(after: error)
        }
    }

    static let excess = NetworkError(
        .invalidResponse(reason: "the server sent more than the part it announced"), phase: .receiving)

    var prematureEnd: NetworkError {
        NetworkError(
            .transport(.connectionLost("the content ended before its announced end")), phase: .receiving,
            request: request)
    }

    /// Waits before the next attempt; throws the error if there should be none.
    func wait(after error: NetworkError) async throws(NetworkError) {
        let failures = record.update { $0.noteFailure(sendings: error.sendings) }
        guard request.isResumable else { throw error }
        try await TransferRetry(api, request, timeline).wait(after: error, failures: failures)
    }

    // MARK: The end

    /// Whether the content has the expected digests; `false` if it should be downloaded again.
    private func isAsExpected(_ file: PartialFile) async throws(NetworkError) -> Bool {
        let ticket = record.ticket
        let fault = try await file.fault(expecting: [ticket.digest, ticket.reportedDigest])
        guard let fault else { return true }
        let isWorthRepeating = record.update { $0.startOverAfterMismatch() }
        try file.truncate(to: 0)
        if isWorthRepeating { return false }
        throw NetworkError(fault, phase: .receiving, request: request)
    }

    private func move(_ file: PartialFile) async throws(NetworkError) -> URL {
        let ticket = record.ticket
        return try await DownloadFinish(
            place: ticket.place, suggestedName: ticket.suggestedName, options: options, placing: placing)(file)
    }

    private func fail(_ file: PartialFile) async {
        let size = (try? file.size()) ?? 0
        let isRemoved = record.update { $0.fail(size: size) }
        if record.ticket.pieces != nil { try? await record.save() }
        if isRemoved {
            file.remove()
            record.ticket.place.removeTicket()
        }
        conclude()
    }

    /// Whether no other run can continue what this one leaves: a background job ends if another file has the name.
    func isOver(by error: NetworkError) -> Bool {
        placing != nil && error.underlying is FileExists
    }

    private func conclude() {
        let ticket = record.ticket
        observer.conclude(ticket.received, total: ticket.total)
    }

    /// Throws `.file` if the content can't get this name.
    func checkTarget(_ target: URL?) throws(NetworkError) {
        if let target, let obstacle = DownloadPlace.obstacle(at: target, options.existingFile) { throw obstacle }
    }
}

// Devices and pipes.
extension DownloadRun {
    /// Writes the content to a device or pipe as it arrives: once, so a lost connection ends the download.
    private func write(to destination: URL) async throws(NetworkError) -> URL {
        let file = try StreamedFile(destination, for: .writing)
        var request = request
        if request.options.responseLimit.decoded == nil { request.options.responseLimit.decoded = BodyLimits.codedFile }
        let response = try await accepted(request)
        let reported = response.head.isUncoded ? response.head.reportedDigest : nil
        let expected = [options.digest, reported].compactMap(\.self)
        var (hash, count) = (SHA256(), Int64(0))
        for try await chunk in response.body {
            try await file.write(chunk)
            if !expected.isEmpty { hash.update(chunk) }
            count += Int64(chunk.count)
            observer.advance(to: count, total: response.body.length)
        }
        observer.conclude(count, total: count)
        if !expected.isEmpty, let digest = ContentDigest(sha256: hash.finish()),
            let fault = PartialFile.fault(of: digest, expecting: expected)
        {
            throw NetworkError(fault, phase: .receiving, request: request)
        }
        return destination
    }
}

extension HTTPRequest {
    /// Whether parts of the response can be requested: a GET without a body.
    var isResumable: Bool { method == .get && body == nil }
}
