/// Asks for what is missing, until an answer comes that can be used.
struct DownloadExchange: Sendable {
    /// A content to be written from ``DownloadTicket/offset`` on.
    struct Answer: Sendable {
        let body: HTTPBody
        /// Where it ends at most.
        let end: Int64
    }

    /// What the first part has at most, where parts are to be fetched at once.
    private static let firstPart = 1 << 20

    let run: DownloadRun

    /// Sends the request, and prepares file and state for the content; nil where nothing is missing.
    ///
    /// Throws what a call throws, a status that is not accepted included.
    func answer(_ state: inout DownloadState, _ file: PartialFile) async throws(NetworkError) -> Answer? {
        while true {
            let resumption = state.resumption
            if resumption == nil, state.ticket.offset > 0 { try clear(&state, file) }
            let probes = state.probesRanges
            let response = try await run.api.accepted(request(resumption, state))
            let head = response.head
            if probes, head.status == .partialContent || head.status == .rangeNotSatisfiable {
                guard let part = try begin(head, &state) else { continue }
                return Answer(body: response.body, end: part.upperBound)
            }
            let step = ResumeStep(
                offset: resumption?.offset ?? 0, total: state.ticket.total, validator: resumption?.validator,
                status: head.status, fields: head.fields)
            switch step {
            case .complete:
                return nil
            case .startOver:
                try clear(&state, file)
            case .refuse(let reason):
                throw NetworkError(
                    .invalidResponse(reason: reason), phase: .receiving, request: response.request, response: head)
            case .append(let bytes, let total):
                state.proceed(head, total: total)
                try keep(&state, head)
                return Answer(body: response.body, end: bytes.upperBound)
            case .replace:
                guard try isPlain(response, &state) else { continue }
                try clear(&state, file)
                state.begin(head, length: head.status.forbidsContent ? 0 : response.body.length)
                try keep(&state, head)
                return Answer(body: response.body, end: state.ticket.total ?? .max)
            }
        }
    }

    private func request(
        _ resumption: (offset: Int64, validator: ResumeValidator)?, _ state: DownloadState
    ) -> HTTPRequest {
        var request = run.request
        // Parts and digests are those of the content as it is stored there.
        if !state.isCoded { request.fields[.acceptEncoding] = "identity" }
        guard let resumption else { return state.probesRanges ? probe(request) : request }
        request.fields[.range] = "bytes=\(resumption.offset)-"
        request.fields[.ifRange] = resumption.validator.condition
        request.options.acceptedStatuses.formUnion([
            HTTPStatus.rangeNotSatisfiable.code, HTTPStatus.preconditionFailed.code,
        ])
        return request
    }

    private func probe(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.fields[.range] = "bytes=0-\(Self.firstPart - 1)"
        // The answer to an empty content.
        request.options.acceptedStatuses.insert(HTTPStatus.rangeNotSatisfiable.code)
        return request
    }

    /// Nil where the whole has to be asked for instead.
    private func begin(_ head: HTTPResponseHead, _ state: inout DownloadState) throws(NetworkError) -> Range<Int64>? {
        guard let part = state.beginPart(head) else {
            state.givesUpRanges = true
            return nil
        }
        try keep(&state, head)
        return part
    }

    /// Whether the content came without a coding; where not, it has to be asked for so that the transport undoes it.
    private func isPlain(_ response: HTTPResponse, _ state: inout DownloadState) throws(NetworkError) -> Bool {
        let coding = response.head.fields[.contentEncoding] ?? "identity"
        if coding.equalsIgnoringASCIICase("identity") { return true }
        guard !state.isCoded else {
            throw NetworkError(
                .invalidResponse(reason: "the content coding \(coding) is not known"), phase: .receiving,
                request: response.request, response: response.head)
        }
        state.isCoded = true
        return false
    }

    private func clear(_ state: inout DownloadState, _ file: PartialFile) throws(NetworkError) {
        try file.cut(to: 0)
        state.startOver()
    }

    /// Notes what the bytes to come are, before the first of them is written.
    private func keep(_ state: inout DownloadState, _ head: HTTPResponseHead) throws(NetworkError) {
        if state.ticket.isFolder, state.ticket.suggestedName == nil {
            state.ticket.suggestedName =
                head.fields.agreedValue(of: .contentDisposition).flatMap(ContentDisposition.init)?.fileName
                .flatMap(SafeFileName.init)?.text
        }
        try run.refuseExisting(state.ticket.place.target(named: state.ticket.suggestedName), state.ticket)
        try run.ledger.store(state.ticket)
        run.observer.jump(to: state.ticket.offset, total: state.ticket.total)
    }
}
