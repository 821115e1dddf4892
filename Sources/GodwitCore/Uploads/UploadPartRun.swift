import GodwitSupport

/// Sends one part of an upload: creates it, sends its bytes, and asks the server where to continue after a failure.
struct UploadPartRun: Sendable {
    let run: UploadRun
    let index: Int

    private var record: UploadRecord { run.record }
    private var part: UploadPart { record.ticket.parts[index] }
    private var server: UploadServer { record.ticket.server ?? .unknown }

    /// Runs until the server has the part, and returns the response to the last request.
    func callAsFunction() async throws(NetworkError) -> HTTPResponse {
        var last: HTTPResponse?
        while true {
            let step = record.update { $0.step(index) }
            if step == .done, let last { return last }
            do throws(NetworkError) {
                last = try await perform(step)
            } catch {
                try await recover(from: error, step)
            }
        }
    }

    private func perform(_ step: UploadState.Step) async throws(NetworkError) -> HTTPResponse {
        try record.ticket.source.confirm()
        switch step {
        case .create(let first): return try await create(first)
        case .locate(let location): return try await locate(location)
        case .append(let location, let range): return try await append(range, to: location)
        case .done: return try await locate(part.location)
        }
    }

    // MARK: Requests

    private func create(_ first: Range<Int64>) async throws(NetworkError) -> HTTPResponse {
        var request = run.requests.creation(of: part, first: first)
        // Whether a server without resumable uploads has done its work is known by the retry rule only.
        if server == .unknown { request.options.retry = run.request.options.retry }
        try await addDigest(of: first, to: &request)
        watch(&request, from: first.lowerBound, noticesLocation: server.grammar == .ietf)
        let response = try await run.accepted(request)
        try record.ticket.source.confirm()
        let report = report(response.head)
        if let text = report.location { try noteLocation(text, response) }
        let isLast = first.upperBound == part.range.upperBound
        guard part.location != nil || server.grammar == .ietf && isLast else {
            throw invalid("the response to the creation of an upload has no Location", response)
        }
        try await record.save()
        if server.grammar == .tus && first.isEmpty {
            try confirm(report.offset ?? 0, limit: 0, nil, response)
        } else if server.grammar == .tus {
            // Without an offset, the server ignored the bytes.
            try confirm(report.offset ?? 0, limit: first.upperBound - part.range.lowerBound, nil, response)
        } else {
            try conclude(first, report, response)
        }
        return response
    }

    private func locate(_ location: HTTPURL?) async throws(NetworkError) -> HTTPResponse {
        guard let location else {
            throw NetworkError(.invalidRequest(reason: "the upload has no URL"), phase: .building)
        }
        let response = try await run.accepted(run.requests.inquiry(location))
        let report = report(response.head)
        guard let offset = report.offset else { throw invalid("the server didn't say how much it has", response) }
        if let length = report.length, length != part.size {
            throw invalid("the server expects \(length) bytes, and \(part.size) are sent", response)
        }
        if report.isComplete == true, offset != part.size {
            throw invalid("the server calls an upload of \(offset) bytes complete", response)
        }
        let isComplete = server.grammar == .tus ? nil : report.isComplete ?? false
        try confirm(offset, limit: part.size, isComplete, response)
        return response
    }

    private func append(_ range: Range<Int64>, to location: HTTPURL) async throws(NetworkError) -> HTTPResponse {
        var request = run.requests.append(range, of: part, to: location)
        try await addDigest(of: range, to: &request)
        watch(&request, from: range.lowerBound, noticesLocation: false)
        let response = try await run.accepted(request)
        // What was read while the file was written to is neither the old content nor the new one.
        try record.ticket.source.confirm()
        let report = report(response.head)
        if server.grammar == .tus {
            guard let offset = report.offset else { throw invalid("the server didn't say how much it has", response) }
            let end = range.upperBound - part.range.lowerBound
            guard offset > part.offset || range.isEmpty else { throw invalid("the server accepted no byte", response) }
            try confirm(offset, limit: end, nil, response)
        } else {
            try conclude(range, report, response)
        }
        return response
    }

    /// The server accepted bytes by the draft's rules: all of them, unless it says how many.
    private func conclude(
        _ range: Range<Int64>, _ report: UploadReport, _ response: HTTPResponse
    ) throws(NetworkError) {
        let end = range.upperBound - part.range.lowerBound
        let isLast = range.upperBound == part.range.upperBound
        if isLast, report.isComplete != false { return record.update { $0.complete(index) } }
        guard report.isComplete != true else {
            throw invalid("the server calls an incomplete upload complete", response)
        }
        let offset = report.offset ?? end
        guard offset > part.offset || range.isEmpty else { throw invalid("the server accepted no byte", response) }
        try confirm(offset, limit: end, false, response)
    }

    private func confirm(
        _ offset: Int64, limit: Int64, _ isComplete: Bool?, _ response: HTTPResponse
    ) throws(NetworkError) {
        let (fault, sent) = record.update { state in
            let fault = state.confirm(index, offset, limit: limit, isComplete: isComplete)
            return (fault, state.completed)
        }
        if let fault { throw invalid(fault, response) }
        run.observer.advance(to: sent, total: record.ticket.total)
    }

    // MARK: What the server says

    private func report(_ head: HTTPResponseHead) -> UploadReport {
        let report = UploadReport(head.fields, server.grammar, now: Date())
        record.update { $0.note(expires: report.expires) }
        return report
    }

    /// Shows progress, and reads the URL of the upload in a 104 response as soon as it arrives.
    private func watch(_ request: inout HTTPRequest, from start: Int64, noticesLocation: Bool) {
        let (onEvent, url) = (request.options.onEvent, request.url)
        let offset = start - part.range.lowerBound
        request.options.onEvent = { event in
            switch event {
            case .sent(let count, _):
                let sent = record.update { $0.send(index, upTo: offset.saturatingAdding(count)) }
                run.observer.advance(to: sent, total: record.ticket.total)
            case .interim(let head) where noticesLocation && head.status == .uploadResumptionSupported:
                noteInterim(head, url)
            default: break
            }
            onEvent?(event)
        }
    }

    private func noteInterim(_ head: HTTPResponseHead, _ url: HTTPURL) {
        guard let location = head.fields.agreedValue(of: .location).flatMap({ try? url.resolving($0) }),
            isAllowed(location)
        else { return }
        record.update { $0.create(index, at: location) }
        Task { try? await record.save() }
    }

    private func noteLocation(_ text: String, _ response: HTTPResponse) throws(NetworkError) {
        guard let location = try? response.request.url.resolving(text) else {
            throw invalid("the URL of the upload is not valid", response)
        }
        guard isAllowed(location) else {
            throw invalid(
                "the server placed the upload at \(location.origin); allow that origin with UploadOptions.locations",
                response)
        }
        record.update { $0.create(index, at: location) }
    }

    private func isAllowed(_ location: HTTPURL) -> Bool {
        if location.isSameOrigin(as: run.request.url) { return true }
        guard case .origins(let origins) = record.ticket.options.locations else { return false }
        return origins.contains(location.origin)
    }

    private func addDigest(of range: Range<Int64>, to request: inout HTTPRequest) async throws(NetworkError) {
        let ticket = record.ticket
        guard ticket.options.checksums == .chunks, !range.isEmpty else { return }
        switch server {
        case .tus(let server):
            guard let algorithm = server.checksum else { return }
            let digest = try await ticket.source.digest(of: range, algorithm)
            request.fields[.uploadChecksum] = algorithm.value(of: digest)
        case .ietf, .unknown, .presigned:
            let digest = try await ticket.source.digest(of: range, .sha256)
            request.fields[.contentDigest] = DigestField.text(sha256: digest)
        }
    }

    private func invalid(_ reason: String, _ response: HTTPResponse) -> NetworkError {
        NetworkError(
            .invalidResponse(reason: reason), phase: .receiving, request: response.request, response: response.head)
    }

    // MARK: Failures

    /// Prepares the next step after a failure, and waits before it; throws the error if there should be none.
    private func recover(from error: NetworkError, _ step: UploadState.Step) async throws(NetworkError) {
        let isLost = part.location != nil && step.isOfUpload && error.kind == .notFound
        let failures = record.update { $0.noteFailure(index, sendings: error.sendings) }
        let isKnown = part.location != nil || server != .unknown
        guard isKnown else { throw error }
        try await run.wait(
            after: error, failures: failures, isRepairable: isLost || step.isOfUpload && error.meansAnotherOffset)
        guard isLost else { return }
        let completed = record.update { state in
            let isExpired = state.ticket.expires.map { $0 <= Date() } ?? false
            state.startOver(index, isExpired ? .expired : .lost)
            return state.completed
        }
        run.observer.jump(to: completed, total: record.ticket.total)
        try await record.save()
    }
}

extension UploadState.Step {
    /// Whether the request goes to the URL of the upload.
    fileprivate var isOfUpload: Bool {
        switch self {
        case .create: false
        case .locate, .append, .done: true
        }
    }
}

extension NetworkError {
    /// Whether the server refuses bytes at this offset or with this digest, or is still busy with an earlier request:
    /// 409, 423, or tus's 460.
    fileprivate var meansAnotherOffset: Bool {
        response.map { [409, 423, 460].contains($0.status.code) } ?? false
    }
}
