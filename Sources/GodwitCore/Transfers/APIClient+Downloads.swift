import GodwitSupport

extension APIClient {
    /// Starts a download of an endpoint's response into a file.
    ///
    /// ```swift
    /// let file = try await api.download(.attachment(id: 7), to: folder).file
    /// let film = api.download(.film(id: 3), to: URL(filePath: "/srv/films/3.mp4")) { $0.existingFile = .replace }
    /// ```
    ///
    /// Errors are thrown by ``Download/file``; for an endpoint with `Range`, `.invalidRequest`.
    ///
    /// - Parameters:
    ///   - endpoint: The request to send. Its response type doesn't matter.
    ///   - destination: A file, or a folder: one that exists, or a URL that ends with a slash. In a folder the file is named
    ///     after `Content-Disposition` (RFC 6266) or the last segment of the URL's path. The name can't leave the folder.
    ///     A device or pipe gets the bytes as they arrive, and is never replaced; such a download can't be paused or resumed.
    ///     A symbolic link to a file means that file.
    ///   - configure: Changes the options.
    public func download<Value>(
        _ endpoint: Endpoint<Value>, to destination: URL, configure: (inout DownloadOptions) -> Void = { _ in }
    ) -> Download {
        var options = DownloadOptions()
        configure(&options)
        return download(endpoint, to: destination, options)
    }

    /// - Parameter placing: Called before the file is moved, with its destination.
    package func download<Value>(
        _ endpoint: Endpoint<Value>, to destination: URL, _ options: DownloadOptions,
        placing: DownloadPlacement.Note? = nil
    ) -> Download {
        do throws(NetworkError) {
            guard destination.isFileURL, !destination.path.utf8.contains(0) else {
                throw NetworkError(.file(reason: "the destination is not a file URL"), phase: .building)
            }
            let request = try transferRequest(for: endpoint)
            var ticket = ticket(for: request, destination)
            ticket.downloadOptions = options
            return try download(by: request, ticket, options, placing)
        } catch {
            return Download(failing: error)
        }
    }

    /// Resumes a download that was paused, in this process or another.
    ///
    /// ```swift
    /// let file = try await api.resume(ticket).file
    /// let download = api.resume(ticket) { $0.allowedNetworks = .all }         // the user agreed
    /// ```
    ///
    /// The partial file is completed if the server says that it still fits; otherwise the download starts over. The client
    /// adds its credentials and default fields, as the ticket holds no secrets. For a ticket from another origin than the
    /// client's, ``Download/file`` throws `.invalidRequest`.
    ///
    /// - Parameters:
    ///   - ticket: From ``Download/pause()``.
    ///   - adjust: Changes the request's options: the client's, overridden by those that the ticket keeps from the endpoint. A
    ///     ticket keeps no closures, so set them here. Without its redirect closure, redirects are blocked.
    public func resume(
        _ ticket: DownloadTicket, options adjust: (inout RequestOptions) -> Void = { _ in }
    ) -> Download {
        do throws(NetworkError) {
            let base = try request(for: Endpoint<Void>.get("")).url
            guard base.isSameOrigin(as: ticket.url) else {
                throw NetworkError(
                    .invalidRequest(reason: "the ticket is for \(ticket.url.origin), not \(base.origin)"),
                    phase: .building)
            }
            var request = HTTPRequest(url: ticket.url, fields: ticket.fields, options: configuration.options)
            ticket.options.apply(to: &request.options)
            adjust(&request.options)
            request.options.startDeadline(on: configuration.clock)
            return try download(by: request, ticket, ticket.downloadOptions)
        } catch {
            return Download(failing: error)
        }
    }

    private func download(
        by request: HTTPRequest, _ ticket: DownloadTicket, _ options: DownloadOptions,
        _ placing: DownloadPlacement.Note? = nil
    ) throws(NetworkError) -> Download {
        var request = request
        guard !request.fields.contains(.range), !request.fields.contains(.ifRange) else {
            throw NetworkError(
                .invalidRequest(reason: "a download sets Range itself; remove the field"), phase: .building)
        }
        request.delivery = .streamed
        // Later requests belong to the account that started the download.
        request.belong(to: account.session.stamp)
        // Content that goes to a file bypasses the cache.
        if request.options.cachePolicy != .cacheOnly { request.options.cachePolicy = .reloadIgnoringCache }
        let timeline = Timeline(configuration.clock)
        let state = DownloadState(
            ticket, isResumable: request.isResumable, connections: options.parallelRanges)
        let run = DownloadRun(
            api: self, request: request, options: options, record: DownloadRecord(state),
            observer: TransferObserver(interval: options.progressInterval, timeline: timeline), timeline: timeline,
            placing: placing)
        return Download(run)
    }

    private func ticket(for request: HTTPRequest, _ destination: URL) -> DownloadTicket {
        let place = DownloadPlace(destination, url: request.url)
        var ticket = DownloadTicket(url: request.url, destination: place.destination, isFolder: place.isFolder)
        ticket.fields = HTTPFields(
            request.fields.filter { !$0.name.isSensitive })
        ticket.options = TicketOptions(request.options, unlike: configuration.options)
        return ticket
    }
}
