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
