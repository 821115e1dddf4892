import GodwitLibc
import GodwitSupport
/// Checks whether a file at the destination of a download is the complete content.
struct ExistingDownload: Sendable {
    let run: DownloadRun
    let file: URL
    /// In bytes.
    let size: Int64

    /// `nil` if the file doesn't exist or isn't a regular file.
    init?(_ run: DownloadRun, at file: URL) {
        var status = stat()
        guard stat(file.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.run = run
        self.file = file
        size = Int64(status.st_size)
    }

    /// Requests the bytes after the file's last: there are none if the file is complete (RFC 9110 section 15.5.17).
    ///
    /// - Throws: What a call throws; `.file` if the content has another size, `.invalidResponse` for another digest.
    func confirm() async throws(NetworkError) {
        let response = try await run.accepted(request)
        let total = Self.total(response)
        guard total == size else {
            let whole = total.map { "\(size) of \($0)" } ?? "\(size) of an unknown number of"
            throw NetworkError(
                .file(reason: "\(file.lastPathComponent) exists already and is not the whole content: \(whole) bytes"),
                phase: .receiving, request: response.request, response: response.head, underlying: FileExists())
        }
        try await check(response.head)
    }

    private var request: HTTPRequest {
        var request = run.request
        request.fields[.acceptEncoding] = "identity"
        request.fields[.range] = "bytes=\(size)-"
        request.options.acceptedStatuses.insert(HTTPStatus.rangeNotSatisfiable.code)
        return request
    }

    /// The size of the content; `nil` if the server doesn't say.
    private static func total(_ response: HTTPResponse) -> Int64? {
        switch response.head.status {
        case .rangeNotSatisfiable, .partialContent:
            response.head.fields.agreedValue(of: .contentRange).flatMap(ContentRange.init)?.total
        default: response.head.status.forbidsContent ? 0 : response.body.length
        }
    }

    private func check(_ head: HTTPResponseHead) async throws(NetworkError) {
        let expected = [run.options.digest, head.reportedDigest].compactMap(\.self)
        guard !expected.isEmpty else { return }
        var hash = SHA256()
        for try await chunk in HTTPBody.file(at: file) { hash.update(chunk) }
        let found = ContentDigest(sha256: hash.finish())
        guard let wanted = expected.first(where: { $0 != found }) else { return }
        throw NetworkError(
            .invalidResponse(
                reason: "\(file.lastPathComponent) exists already, and its digest is not \(wanted)"), phase: .receiving)
    }
}

/// A download that the system has received. It is taken over, verified, and moved to its destination.
///
/// Encoded between the first two steps, it is enough to continue after a crash.
package struct ArrivedDownload: Sendable, Hashable, Codable {
    private let suggestedName: String?
    private let reportedDigest: ContentDigest?

    package init(_ head: HTTPResponseHead) {
        suggestedName = head.fields.agreedValue(of: .contentDisposition).flatMap(ContentDisposition.init)?.fileName
        // The digest is that of the encoded content, and the file is decoded.
        reportedDigest = head.isUncoded ? head.reportedDigest : nil
    }

    /// The error if the file could not be moved to its destination, so that it needn't be requested.
    package static func obstacle(
        of url: HTTPURL, to destination: URL, _ existingFile: DownloadOptions.ExistingFile
    ) -> NetworkError? {
        DownloadPlace(destination, url: url).knownTarget.flatMap { DownloadPlace.obstacle(at: $0, existingFile) }
    }

    /// Moves the system's temporary file next to the destination: hidden, and readable by its owner only.
    package static func take(_ file: URL, of url: HTTPURL, to destination: URL) throws(NetworkError) {
        let place = DownloadPlace(destination, url: url)
        let name = place.target(named: nil).lastPathComponent
        // Throws if this program is downloading the same file.
        let old = try PartialFile(place.partialFile, for: name)
        old.remove()
        place.removeTicket()
        do {
            try FileManager.default.moveItem(at: file, to: place.partialFile)
        } catch {
            throw NetworkError(.file(reason: "cannot create \(name)"), phase: .receiving, underlying: error)
        }
    }

    /// Verifies the file and moves it to its destination.
    ///
    /// - Throws: `.file` if the file is missing or can't be moved; `.invalidResponse` for a wrong digest. The file is removed
    ///   if its digest is wrong, or if another one has its name.
    package func finish(
        _ url: HTTPURL, to destination: URL, _ options: DownloadOptions, placing: @escaping DownloadPlacement.Note
    ) async throws(NetworkError) -> URL {
        let place = DownloadPlace(destination, url: url)
        let name = suggestedName.flatMap(SafeFileName.init)?.text
        let shown = place.target(named: name).lastPathComponent
        guard DownloadPlace.exists(place.partialFile) else {
            throw NetworkError(.file(reason: "the received part of \(shown) is missing"), phase: .receiving)
        }
        let file = try PartialFile(place.partialFile, for: shown)
        try await check(file, options.digest)
        if options.synchronizesToDisk { try await file.synchronize() }
        do throws(NetworkError) {
            return try await DownloadFinish(place: place, suggestedName: name, options: options, placing: placing)(file)
        } catch {
            if error.underlying is FileExists { file.remove() }
            throw error
        }
    }

    private func check(_ file: PartialFile, _ wanted: ContentDigest?) async throws(NetworkError) {
        guard let fault = try await file.fault(expecting: [wanted, reportedDigest]) else { return }
        file.remove()
        throw NetworkError(fault, phase: .receiving)
    }
}
