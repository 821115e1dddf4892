extension APIClient {
    /// Starts to download what an endpoint names into a file.
    ///
    /// ```swift
    /// let file = try await api.download(.attachment(id: 7), to: folder).file
    /// let film = api.download(.film(id: 3), to: URL(filePath: "/srv/films/3.mp4")) { $0.existingFile = .replace }
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: What to ask for. What it says about reading the response does not matter.
    ///   - destination: A file, or a folder: one that exists, or a URL that ends with a slash. In a folder the file is
    ///     named as the server says in `Content-Disposition` (RFC 6266), else as the last segment of the URL's path;
    ///     either way made safe, so that it stays in the folder.
    ///   - configure: Changes ``DownloadOptions``.
    ///
    /// Does not fail by itself: ``Download/file`` throws. An endpoint with `Range` makes it throw `.invalidRequest`.
    public func download<Value>(
        _ endpoint: Endpoint<Value>, to destination: URL, configure: (inout DownloadOptions) -> Void = { _ in }
    ) -> Download {
        var options = DownloadOptions()
        configure(&options)
        return download(endpoint, to: destination, options)
    }

    /// The same, and tells before the file is moved where it goes.
    package func download<Value>(
        _ endpoint: Endpoint<Value>, to destination: URL, _ options: DownloadOptions,
        placing: DownloadPlacement.Note? = nil
    ) -> Download {
        do throws(NetworkError) {
            guard destination.isFileURL, !destination.path.utf8.contains(0) else {
                throw NetworkError(.file(reason: "the destination is no URL of a file"), phase: .building)
            }
            let request = try transferRequest(for: endpoint)
            var ticket = ticket(for: request, destination)
            ticket.digest = options.digest
            ticket.existingFile = options.existingFile
            ticket.synchronizesToDisk = options.synchronizesToDisk
            ticket.isExcludedFromBackup = options.isExcludedFromBackup
            ticket.parallelRanges = options.parallelRanges
            return try download(by: request, ticket, options, placing)
        } catch {
            return Download(failing: error)
        }
    }

    /// Goes on with a download that was paused, in this process or another.
    ///
    /// ```swift
    /// let file = try await api.resume(ticket).file
    /// ```
    ///
    /// What the partial file holds is completed where the server says that it still fits; else it starts over. The
    /// client adds its credentials and default fields anew; the ticket holds none that are secret. A ticket for another
    /// origin than the client's makes ``Download/file`` throw `.invalidRequest`.
    ///
    /// - Parameter ticket: From ``Download/pause()``.
    public func resume(_ ticket: DownloadTicket) -> Download {
        resume(ticket) { _ in }
    }

    /// The same with other options.
    ///
    /// ```swift
    /// let download = api.resume(ticket) { $0.allowedNetworks = .all }         // the person said yes
    /// ```
    ///
    /// - Parameters:
    ///   - ticket: From ``Download/pause()``.
    ///   - adjust: Changes the request's options, which are the client's with what the endpoint wanted otherwise, as the ticket
    ///     keeps it. Closures are not in a ticket: give them here. A redirect closure that is not given again blocks redirects.
    public func resume(_ ticket: DownloadTicket, options adjust: (inout RequestOptions) -> Void) -> Download {
        var options = DownloadOptions()
        options.existingFile = ticket.existingFile
        options.digest = ticket.digest
        options.synchronizesToDisk = ticket.synchronizesToDisk
        options.isExcludedFromBackup = ticket.isExcludedFromBackup
        options.parallelRanges = ticket.parallelRanges
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
            return try download(by: request, ticket, options)
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
                .invalidRequest(reason: "a download asks for ranges by itself; leave Range out"), phase: .building)
        }
        request.delivery = .streamed
        // Parts that are asked for later belong to the account that the download was started for.
        request.belong(to: account.session.stamp)
        // As every content that goes to a file, it passes by the cache.
        if request.options.cachePolicy != .cacheOnly { request.options.cachePolicy = .reloadIgnoringCache }
        let timeline = Timeline(configuration.clock)
        let run = DownloadRun(
            api: self, request: request, options: options, ledger: DownloadLedger(ticket),
            observer: TransferObserver(interval: options.progressInterval, timeline: timeline), timeline: timeline,
            placing: placing)
        return Download(run, ticket)
    }

    private func ticket(for request: HTTPRequest, _ destination: URL) -> DownloadTicket {
        let place = DownloadPlace(destination, url: request.url)
        var ticket = DownloadTicket(url: request.url, destination: place.destination, isFolder: place.isFolder)
        ticket.fields = HTTPFields(
            request.fields.filter { !$0.name.isSensitive && !SecretName.isSecret($0.name.rawName) })
        ticket.options = TicketOptions(request.options, unlike: configuration.options)
        return ticket
    }
}
