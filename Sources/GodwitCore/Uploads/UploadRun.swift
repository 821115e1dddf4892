import GodwitSupport

/// Does what ``UploadState`` decides: finds out what the server speaks, sends the parts, and joins them.
struct UploadRun: Sendable {
    let api: APIClient
    /// The endpoint's request, without a body.
    let request: HTTPRequest
    let record: UploadRecord
    let observer: TransferObserver
    let timeline: Timeline

    var requests: UploadRequests { UploadRequests(request: request, ticket: record.ticket) }

    /// Uploads the file, and returns the response to the last request. After a failure, another run can continue.
    func callAsFunction() async throws(NetworkError) -> HTTPResponse {
        let source = record.ticket.source
        try source.confirm()
        try await record.save()
        observer.jump(to: record.update(\.completed), total: source.size)
        do throws(NetworkError) {
            try await discover()
            let response = try await send()
            record.removeTicket()
            observer.conclude(source.size, total: source.size)
            return response
        } catch {
            observer.concludeLatest()
            throw error
        }
    }

    private func send() async throws(NetworkError) -> HTTPResponse {
        while true {
            let response = try await sendParts()
            guard record.ticket.isSplit else { return response }
            if let joined = try await join() { return joined }
        }
    }

    /// Sends what is missing of all parts, and returns the response to the last request for one of them.
    private func sendParts() async throws(NetworkError) -> HTTPResponse {
        let parts = record.ticket.parts.indices
        guard parts.count > 1 else { return try await UploadPartRun(run: self, index: 0)() }
        let results = await withTaskGroup(of: Result<HTTPResponse, NetworkError>.self) { group in
            for index in parts {
                group.addTask {
                    await Result.catching { () throws(NetworkError) in
                        try await UploadPartRun(run: self, index: index)()
                    }
                }
            }
            var results: [Result<HTTPResponse, NetworkError>] = []
            for await result in group {
                // The others are canceled and fail because of that: the first failure counts.
                if case .failure = result { group.cancelAll() }
                results.append(result)
            }
            return results
        }
        for case .failure(let error) in results { throw error }
        return try results[results.count - 1].get()
    }

    /// Joins the parts; `nil` if the server lost some, so that they must be sent again.
    private func join() async throws(NetworkError) -> HTTPResponse? {
        while true {
            do throws(NetworkError) {
                return try await accepted(requests.concatenation())
            } catch {
                let isLost = error.kind == .notFound
                let failures = record.update { $0.noteFailure(sendings: error.sendings) }
                try await wait(after: error, failures: failures, isRepairable: isLost)
                if isLost { return nil }
            }
        }
    }

    /// Sends a request of the upload. The transport's own limits include what was sent in vain before.
    func accepted(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        var request = request
        request.options.earlierSendings = record.update(\.earlierSendings)
        return try await api.accepted(request)
    }

    func wait(after error: NetworkError, failures: FailureStreak, isRepairable: Bool) async throws(NetworkError) {
        try await TransferRetry(api, request, timeline)
            .wait(after: error, failures: failures, isRepairable: isRepairable)
    }

    // MARK: The server

    /// Asks which protocol the server speaks, unless that is known.
    private func discover() async throws(NetworkError) {
        let ticket = record.ticket
        guard ticket.server == nil else { return }
        let server = try await server(for: ticket.uploadProtocol)
        let size = ticket.source.size
        if let limit = server.maximumSize, size > limit {
            throw NetworkError(
                .invalidRequest(reason: "the server accepts up to \(limit) bytes, and the file has \(size)"),
                phase: .building, request: request)
        }
        record.update { $0.discover(server, parts: ticket.options.parallelParts) }
        try await record.save()
    }

    private func server(for uploadProtocol: UploadProtocol) async throws(NetworkError) -> UploadServer {
        let fields = try await optionFields()
        switch uploadProtocol {
        case .tus: return .tus(TusServer(fields) ?? .unknown)
        case .ietf: return .ietf(UploadLimits(fields))
        case .discovered:
            // Some servers support creation without listing it.
            if let server = TusServer(fields) { return .tus(server) }
            return UploadLimits(fields).map { .ietf($0) } ?? .unknown
        }
    }

    /// The fields of the response to `OPTIONS`; none if the server doesn't answer that.
    private func optionFields() async throws(NetworkError) -> HTTPFields {
        defer { record.update { $0.noteAnswer() } }
        while true {
            do throws(NetworkError) {
                return try await accepted(requests.discovery()).head.fields
            } catch {
                if error.response?.status.kind == .clientError { return [:] }
                if error.response?.status == .notImplemented { return [:] }
                let failures = record.update { $0.noteRejection(sendings: error.sendings) }
                try await wait(after: error, failures: failures, isRepairable: false)
            }
        }
    }

    // MARK: Termination

    /// Removes the upload at the server. Best effort: the server forgets incomplete uploads in any case.
    func terminate() async {
        let ticket = record.ticket
        record.removeTicket()
        guard ticket.server?.terminates ?? false else { return }
        for location in ticket.parts.compactMap(\.location) {
            var request = requests.termination(location)
            request.options.timeouts.total = .seconds(10)
            _ = try? await api.send(request)
        }
    }
}
