/// Sends one request of a download, and prepares the state and the file for its response.
struct DownloadExchange: Sendable {
    /// Content to write from ``DownloadTicket/offset``.
    struct Response: Sendable {
        let body: HTTPBody
        /// Where the content ends; `.max` if unknown.
        let end: Int64
        /// The size of the whole content, if known.
        let total: Int64?
    }

    /// The maximum size of the first part if several parts are fetched at once.
    private static let firstPart = 1 << 20

    let run: DownloadRun
    let file: PartialFile

    private var record: DownloadRecord { run.record }

    /// Sends a request; `nil` if the state says what to do next: nothing is missing, or another request is needed.
    ///
    /// - Throws: What a call throws, also for a status that is not accepted.
    func response(to request: DownloadState.Request) async throws(NetworkError) -> Response? {
        if record.update({ $0.startOver(for: request) }) { try file.truncate(to: 0) }
        let response = try await run.accepted(httpRequest(request))
        let head = response.head
        if request == .firstPart, head.status == .partialContent || head.status == .rangeNotSatisfiable {
            guard let part = record.update({ $0.beginPart(head) }) else { return nil }
            return try await begin(response, end: part.upperBound)
        }
        switch resumeStep(request, head) {
        case .complete:
            record.update { $0.complete() }
            return nil
        case .startOver:
            try startOver()
            return nil
        case .refuse(let reason): throw invalid(reason, response)
        case .append(let bytes, let total):
            record.update { $0.proceed(head, total: total) }
            return try await begin(response, end: bytes.upperBound)
        case .replace:
            guard try isUncoded(response) else { return nil }
            try startOver()
            let length = head.status.forbidsContent ? 0 : response.body.length
            guard record.update({ $0.begin(head, length: length) }) else {
                throw invalid("it has another size with the same entity tag", response)
            }
            return try await begin(response, end: nil)
        }
    }

    private func httpRequest(_ part: DownloadState.Request) -> HTTPRequest {
        var request = run.request
        // Ranges and digests are those of the content without a coding.
        if !record.update(\.isCoded) {
            request.fields[.acceptEncoding] = "identity"
        } else if request.options.responseLimit.decoded == nil {
            request.options.responseLimit.decoded = BodyLimits.codedFile
        }
        switch part {
        case .whole: break
        case .firstPart:
            request.fields[.range] = "bytes=0-\(Self.firstPart - 1)"
            // The status for empty content.
            request.options.acceptedStatuses.insert(HTTPStatus.rangeNotSatisfiable.code)
        case .rest(let offset, let validator):
            request.fields[.range] = "bytes=\(offset)-"
            request.fields[.ifRange] = validator.condition
            request.options.acceptedStatuses.formUnion([
                HTTPStatus.rangeNotSatisfiable.code, HTTPStatus.preconditionFailed.code,
            ])
        }
        return request
    }

    private func resumeStep(_ request: DownloadState.Request, _ head: HTTPResponseHead) -> ResumeStep {
        let total = record.ticket.total
        return if case .rest(let offset, let validator) = request {
            ResumeStep(offset: offset, total: total, validator: validator, status: head.status, fields: head.fields)
        } else {
            ResumeStep(offset: 0, total: total, validator: nil, status: head.status, fields: head.fields)
        }
    }

    /// Whether the content has no content coding; `false` if it must be requested so that the transport decodes it.
    private func isUncoded(_ response: HTTPResponse) throws(NetworkError) -> Bool {
        if response.head.isUncoded { return true }
        guard record.update({ $0.noteCoding() }) else {
            let coding = response.head.fields[.contentEncoding] ?? ""
            throw invalid("the content coding \(coding) is not known", response)
        }
        return false
    }

    private func invalid(_ reason: String, _ response: HTTPResponse) -> NetworkError {
        NetworkError(
            .invalidResponse(reason: reason), phase: .receiving, request: response.request, response: response.head)
    }

    private func startOver() throws(NetworkError) {
        try file.truncate(to: 0)
        record.update { $0.startOver() }
    }

    /// Saves what the content is before its first byte is written.
    private func begin(_ response: HTTPResponse, end: Int64?) async throws(NetworkError) -> Response {
        record.update { $0.suggestName(response.head) }
        let ticket = record.ticket
        try run.checkTarget(ticket.place.target(named: ticket.suggestedName))
        try await record.save()
        run.observer.jump(to: ticket.offset, total: ticket.total)
        return Response(body: response.body, end: end ?? ticket.total ?? .max, total: ticket.total)
    }
}
