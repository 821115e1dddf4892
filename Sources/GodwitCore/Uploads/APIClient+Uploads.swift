import GodwitSupport

extension APIClient {
    /// Starts an upload of a file that continues after broken connections, pauses and restarts.
    ///
    /// ```swift
    /// let upload = api.upload(film, to: .resumable(.post("films")))
    /// try await upload.value
    /// ```
    ///
    /// Errors are thrown by ``ResumableUpload/value``.
    ///
    /// - Parameters:
    ///   - file: The file, which must not change while it is sent.
    ///   - target: Where to, and how.
    public func upload<Value>(_ file: URL, to target: UploadTarget<Value>) -> ResumableUpload<Value> {
        do throws(NetworkError) {
            let source = try UploadFile(file)
            switch target.kind {
            case .resumable(let endpoint, let uploadProtocol):
                return try upload(source, to: endpoint, uploadProtocol, target.options)
            case .parts(let parts):
                return upload(by: try presignedTicket(source, parts, target.options), parts)
            }
        } catch {
            return ResumableUpload(failing: error)
        }
    }

    private func upload<Value>(
        _ source: UploadFile, to endpoint: Endpoint<Value>, _ uploadProtocol: UploadProtocol, _ options: UploadOptions
    ) throws(NetworkError) -> ResumableUpload<Value> {
        guard endpoint.body == nil else {
            throw Self.refusal("an upload sends the file as its body; remove the endpoint's body")
        }
        if let name = options.metadata.keys.first(where: { !TusMetadata.isValid($0) }) {
            throw Self.refusal("\"\(name)\" can't be the name of metadata")
        }
        let request = try transferRequest(for: endpoint)
        guard uploadProtocol != .tus || request.method == .post else {
            throw Self.refusal("tus creates uploads with POST, not \(request.method)")
        }
        var ticket = UploadTicket(request, source, uploadProtocol, options)
        ticket.requestOptions = TicketOptions(request.options, unlike: configuration.options)
        ticket = UploadRecord.savedTicket(like: ticket) ?? ticket
        return upload(by: request, ticket, endpoint.decode)
    }

    /// Resumes an upload that was paused, in this process or another.
    ///
    /// ```swift
    /// let kept = try JSONDecoder().decode(UploadTicket.self, from: Data(contentsOf: file))
    /// try await api.resume(kept).value
    /// ```
    ///
    /// The server is asked how much it has, and the rest is sent; if it lost the upload, it starts over. The client
    /// adds its credentials and default fields, as the ticket holds no secrets. For a ticket from another origin than
    /// the client's,
    /// ``ResumableUpload/value`` throws `.invalidRequest`; if the file changed, `.file`.
    ///
    /// - Parameters:
    ///   - ticket: From ``ResumableUpload/pause()`` or ``UploadTicket/init(contentsOf:)``.
    ///   - adjust: Changes the request's options: the client's, overridden by those that the ticket keeps from the
    ///     endpoint.
    public func resume(
        _ ticket: UploadTicket, options adjust: (inout RequestOptions) -> Void = { _ in }
    ) -> ResumableUpload<Void> {
        resume(ticket, as: .post(""), options: adjust)
    }

    /// Resumes an upload that was paused, and decodes the response to its last request as an endpoint does.
    ///
    /// - Parameters:
    ///   - ticket: From ``ResumableUpload/pause()`` or ``UploadTicket/init(contentsOf:)``.
    ///   - endpoint: Decodes the response. Its fields and options don't count: the ticket has its own.
    ///   - adjust: Changes the request's options: the client's, overridden by those that the ticket keeps from the
    ///     endpoint.
    public func resume<Value>(
        _ ticket: UploadTicket, as endpoint: Endpoint<Value>, options adjust: (inout RequestOptions) -> Void = { _ in }
    ) -> ResumableUpload<Value> {
        do throws(NetworkError) {
            try checkOrigin(of: ticket)
            guard ticket.server != .presigned else {
                throw Self.refusal("the ticket is for presigned parts; resume it with their UploadTarget")
            }
            var request = HTTPRequest(
                method: ticket.method, url: ticket.url, fields: ticket.fields,
                delivery: .buffered(limit: configuration.bufferLimit), options: configuration.options)
            ticket.requestOptions.apply(to: &request.options)
            adjust(&request.options)
            request.options.startDeadline(on: configuration.clock)
            return upload(by: request, ticket, endpoint.decode)
        } catch {
            return ResumableUpload(failing: error)
        }
    }

    /// Resumes an upload in presigned parts: those that the server has are not sent again.
    ///
    /// - Parameters:
    ///   - ticket: From ``ResumableUpload/pause()`` or ``UploadTicket/init(contentsOf:)``.
    ///   - parts: Provides the URLs of the same upload.
    public func resume<Value>(_ ticket: UploadTicket, parts: UploadParts<Value>) -> ResumableUpload<Value> {
        do throws(NetworkError) {
            try checkOrigin(of: ticket)
            guard ticket.server == .presigned else { throw Self.refusal("the ticket isn't for presigned parts") }
            return upload(by: ticket, parts)
        } catch {
            return ResumableUpload(failing: error)
        }
    }

    private func checkOrigin(of ticket: UploadTicket) throws(NetworkError) {
        let base = try request(for: Endpoint<Void>.get("")).url
        guard base.isSameOrigin(as: ticket.url) else {
            throw Self.refusal("the ticket is for \(ticket.url.origin), not \(base.origin)")
        }
    }

    private func presignedTicket<Value>(
        _ source: UploadFile, _ parts: UploadParts<Value>, _ options: UploadOptions
    ) throws(NetworkError) -> UploadTicket {
        var ticket = UploadTicket(try request(for: Endpoint<Void>.get("")), source, .discovered, options)
        ticket.server = .presigned
        ticket.parts = UploadPart.split(source.size, by: parts.partSize)
        return UploadRecord.savedTicket(like: ticket) ?? ticket
    }

    private func upload<Value>(by ticket: UploadTicket, _ parts: UploadParts<Value>) -> ResumableUpload<Value> {
        let timeline = Timeline(configuration.clock)
        let run = PresignedRun(
            api: self, plan: parts, record: UploadRecord(UploadState(ticket)),
            observer: TransferObserver(interval: ticket.options.progressInterval, timeline: timeline),
            timeline: timeline)
        return ResumableUpload(run.work)
    }

    private func upload<Value>(
        by request: HTTPRequest, _ ticket: UploadTicket, _ decode: @escaping Endpoint<Value>.Decode
    ) -> ResumableUpload<Value> {
        var request = request
        // Later requests belong to the account that started the upload.
        request.belong(to: account.session.stamp)
        let timeline = Timeline(configuration.clock)
        let run = UploadRun(
            api: self, request: request, record: UploadRecord(UploadState(ticket)),
            observer: TransferObserver(interval: ticket.options.progressInterval, timeline: timeline),
            timeline: timeline)
        return ResumableUpload(run.work(decode))
    }

    private static func refusal(_ reason: String) -> NetworkError {
        NetworkError(.invalidRequest(reason: reason), phase: .building)
    }
}

extension UploadTicket {
    /// Reads the ticket that an upload keeps in ``UploadOptions/ticketFile``.
    ///
    /// ```swift
    /// try await api.resume(UploadTicket(contentsOf: file)).value
    /// ```
    ///
    /// The resumed upload keeps the file up to date, and removes it at the end.
    ///
    /// - Throws: `.file` if the file doesn't exist, can't be read, is accessible to other users, or is damaged.
    public init(contentsOf file: URL) throws(NetworkError) {
        guard var ticket = try Self.read(from: file) else {
            throw NetworkError(.file(reason: "\(file.lastPathComponent) doesn't exist"), phase: .building)
        }
        ticket.options.ticketFile = file
        self = ticket
    }
}
