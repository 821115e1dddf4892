#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
/// A file that is in the place of a download: whether it is the whole content already.
struct ExistingDownload: Sendable {
    let run: DownloadRun
    let file: URL
    /// In bytes.
    let size: Int64

    /// Nil if no ordinary file is there.
    init?(_ run: DownloadRun, at file: URL) {
        var status = stat()
        guard run.isResumable, stat(file.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.run = run
        self.file = file
        size = Int64(status.st_size)
    }

    /// Asks the server for what comes after the file's last byte: nothing, if the file is whole (RFC 9110 section 15.5.17).
    ///
    /// Throws what a call throws; `.file` if the content has another size, and `.invalidResponse` for another digest.
    func confirm() async throws(NetworkError) {
        let response = try await run.api.accepted(request)
        let total = Self.total(response)
        guard total == size else {
            let whole = total.map { "\(size) of \($0)" } ?? "\(size) of an unknown number of"
            throw NetworkError(
                .file(reason: "\(file.lastPathComponent) exists already and is not the whole content: \(whole) bytes"),
                phase: .receiving, request: response.request, response: response.head)
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

    /// How many bytes the content has; `nil` if the server does not say.
    private static func total(_ response: HTTPResponse) -> Int64? {
        switch response.head.status {
        case .rangeNotSatisfiable, .partialContent:
            response.head.fields.agreedValue(of: .contentRange).flatMap(ContentRange.init)?.total
        default: response.head.status.forbidsContent ? 0 : response.body.length
        }
    }

    private func check(_ head: HTTPResponseHead) async throws(NetworkError) {
        let reported = ReprDigest.sha256(head.fields).flatMap(ContentDigest.init(sha256:))
        let expected = [run.options.digest, reported].compactMap(\.self)
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

/// A download's content that the system has fetched: it is taken over, looked at, and put into its place.
///
/// What is written down between the two steps is enough to go on with the second after a crash.
package struct ArrivedDownload: Sendable, Hashable, Codable {
    /// The name that the server suggests.
    private let suggestedName: String?
    /// What the server says that the content is.
    private let reportedDigest: ContentDigest?

    /// Reads what the answer's head says about its content.
    package init(_ head: HTTPResponseHead) {
        suggestedName = head.fields.agreedValue(of: .contentDisposition).flatMap(ContentDisposition.init)?.fileName
        // That of the content as it is stored there, which a coding that was undone is not.
        let isCoded = !(head.fields[.contentEncoding] ?? "identity").equalsIgnoringASCIICase("identity")
        reportedDigest = isCoded ? nil : ReprDigest.sha256(head.fields).flatMap(ContentDigest.init(sha256:))
    }

    /// Why nothing has to be asked for, as the file could not be put into its place; nil where it can.
    package static func obstacle(
        of url: HTTPURL, to destination: URL, _ existingFile: DownloadOptions.ExistingFile
    ) -> NetworkError? {
        let target = DownloadPlace(destination, url: url).knownTarget
        guard existingFile.keepsOld, let target, DownloadPlace.exists(target) else { return nil }
        return DownloadFinish.exists(target)
    }

    /// Moves the system's file, which it would remove, to beside the destination: hidden, and for its owner alone.
    package static func take(_ file: URL, of url: HTTPURL, to destination: URL) throws(NetworkError) {
        let place = DownloadPlace(destination, url: url)
        let name = place.target(named: nil).lastPathComponent
        // Another download of the same may be under way in this program.
        let old = try PartialFile(place.partialFile, for: name)
        old.remove()
        place.removeTicket()
        do {
            try FileManager.default.moveItem(at: file, to: place.partialFile)
        } catch {
            throw NetworkError(.file(reason: "cannot create \(name)"), phase: .receiving, underlying: error)
        }
    }

    /// Looks whether the file that was taken is what it has to be, and puts it into its place.
    ///
    /// Throws `.file` where there is none or it cannot be moved, and `.invalidResponse` for another content, which is
    /// thrown away.
    package func finish(
        _ url: HTTPURL, to destination: URL, _ options: DownloadOptions, placing: @escaping DownloadPlacement.Note
    ) async throws(NetworkError) -> URL {
        let place = DownloadPlace(destination, url: url)
        let name = suggestedName.flatMap(SafeFileName.init)?.text
        let shown = place.target(named: name).lastPathComponent
        guard DownloadPlace.exists(place.partialFile) else {
            throw NetworkError(.file(reason: "what was received of \(shown) is gone"), phase: .receiving)
        }
        let file = try PartialFile(place.partialFile, for: shown)
        try await check(file, options.digest)
        if options.synchronizesToDisk { try file.synchronize() }
        let finish = DownloadFinish(
            place: place, suggestedName: name, existingFile: options.existingFile,
            synchronizesToDisk: options.synchronizesToDisk, isExcludedFromBackup: options.isExcludedFromBackup,
            placing: placing)
        return try await finish(file)
    }

    private func check(_ file: PartialFile, _ wanted: ContentDigest?) async throws(NetworkError) {
        guard let fault = try await file.fault(expecting: [wanted, reportedDigest]) else { return }
        file.remove()
        throw NetworkError(fault, phase: .receiving)
    }
}
