import GodwitLibc
import GodwitSupport
/// The destination of a download, and the hidden files next to it that hold what was received.
///
/// The hidden names depend only on the destination and the URL, so that a later run finds them.
struct DownloadPlace: Sendable {
    let destination: URL
    let isFolder: Bool
    private let url: HTTPURL

    init(_ destination: URL, isFolder: Bool, url: HTTPURL) {
        self.destination = destination
        self.isFolder = isFolder
        self.url = url
    }

    /// The destination is a folder if there is one, or if the URL ends with a slash; of a link to a file, it is that file.
    init(_ destination: URL, url: HTTPURL) {
        var place = destination.absoluteURL.standardizedFileURL
        let isFolder = destination.hasDirectoryPath || FileKind(at: place.path) == .folder
        if !isFolder, FileKind(at: place.path, followsLinks: false) == .link, FileKind(at: place.path) == .regular,
            let resolved = realpath(place.path, nil)
        {
            place = URL(filePath: String(cString: resolved), directoryHint: .notDirectory)
            free(resolved)
        }
        self.init(place, isFolder: isFolder, url: url)
    }

    /// Whether the destination is a device or pipe: it gets the bytes as they arrive.
    var isSpecial: Bool { !isFolder && FileKind(at: destination.path) == .special }

    var folder: URL { isFolder ? destination : destination.deletingLastPathComponent() }

    /// The bytes received so far.
    var partialFile: URL { hidden("godwit-part") }

    /// The ``DownloadTicket`` for the partial file.
    var ticketFile: URL { hidden("godwit-ticket") }

    /// The ticket while it is written, which only the run that holds the partial file does.
    var ticketDraft: URL { hidden("godwit-ticket.tmp") }

    func removeTicket() {
        unlink(ticketFile.path)
        unlink(ticketDraft.path)
    }

    /// The destination file, if it is known before the server responds.
    var knownTarget: URL? { isFolder ? nil : destination }

    /// The destination file; in a folder, with the name that the server suggests.
    func target(named suggestion: String?) -> URL {
        guard isFolder else { return destination }
        return file(suggestion ?? nameInURL)
    }

    /// The same, numbered: `report (2).pdf`.
    func target(named suggestion: String?, number: Int) -> URL {
        let name = isFolder ? suggestion ?? nameInURL : destination.lastPathComponent
        guard number > 1, let safe = SafeFileName(name) else { return target(named: suggestion) }
        return file(safe.numbered(number).text)
    }

    /// The error if complete content can't get a name.
    static func obstacle(at target: URL, _ existing: DownloadOptions.ExistingFile) -> NetworkError? {
        switch FileKind(at: target.path, followsLinks: false) {
        case .absent: return nil
        case .tooLong:
            let reason = "cannot create \(target.lastPathComponent): \(String(cString: strerror(ENAMETOOLONG)))"
            return NetworkError(.file(reason: reason), phase: .receiving)
        case .folder where existing.keepsOld, .regular where existing.keepsOld, .link where existing.keepsOld:
            return DownloadFinish.exists(target)
        case .folder where existing == .replace, .special where existing != .keepBoth:
            return NetworkError(.file(reason: "\(target.lastPathComponent) is not a regular file"), phase: .receiving)
        case .regular, .link, .folder, .special: return nil
        }
    }

    static func exists(_ url: URL) -> Bool {
        var status = stat()
        return lstat(url.path, &status) == 0
    }

    private func file(_ name: String) -> URL {
        folder.appending(path: name, directoryHint: .notDirectory)
    }

    /// The last segment of the URL's path as a safe file name.
    private var nameInURL: String {
        let segment = url.path.split(separator: "/").last.map(String.init) ?? ""
        return SafeFileName(PercentEncoding.decode(segment) ?? segment)?.text ?? "download"
    }

    private func hidden(_ ending: String) -> URL {
        // In a folder, URLs can have equal names.
        let stem =
            isFolder
            ? CompanionName.stem(of: nameInURL, mark: url.absoluteString)
            : CompanionName.stem(of: destination.lastPathComponent)
        return file(".\(stem).\(ending)")
    }
}

/// Identifies a complete file before it is moved, so that a process can tell after a crash whether it was.
///
/// A move keeps the inode number: the file with that number at the target is the downloaded one.
package struct DownloadPlacement: Sendable, Hashable, Codable {
    /// Called before each move, which waits for it.
    package typealias Note = @Sendable (DownloadPlacement) async throws(NetworkError) -> Void

    /// The path of the destination file.
    package let target: String
    private let device: UInt64
    private let number: UInt64
    private let size: Int64

    init(target: String, _ status: stat) {
        self.target = target
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
    }

    /// Whether the file was moved.
    package var isDone: Bool { isAt(target) }

    /// Removes the hidden files that an interrupted move has left.
    package func removeTraces(of url: HTTPURL, to destination: URL) {
        let place = DownloadPlace(destination, url: url)
        if isAt(place.partialFile.path) { unlink(place.partialFile.path) }
        if !DownloadPlace.exists(place.partialFile) { place.removeTicket() }
    }

    private func isAt(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return self == DownloadPlacement(target: target, status)
    }
}

/// Moves a complete file to its destination.
struct DownloadFinish: Sendable {
    let place: DownloadPlace
    /// The safe file name that the server suggests.
    let suggestedName: String?
    let options: DownloadOptions
    /// Called before each move with the destination. An error prevents the move.
    let placing: DownloadPlacement.Note?

    /// Moves the file and returns its new URL. After a failure, it is not moved.
    func callAsFunction(_ file: PartialFile) async throws(NetworkError) -> URL {
        let target = place.target(named: suggestedName)
        try excludeFromBackup(target.lastPathComponent)
        switch options.existingFile {
        case .replace:
            _ = try await move(file, to: target, replacing: true)
        case .fail, .keepIfComplete:
            guard try await move(file, to: target, replacing: false) else { throw Self.exists(target) }
        case .keepBoth:
            return try await moveToNumbered(file)
        }
        return target
    }

    /// Marks the file before it is moved. Only Apple platforms have this mark.
    private func excludeFromBackup(_ name: String) throws(NetworkError) {
        #if canImport(Darwin)
        guard options.isExcludedFromBackup else { return }
        do {
            try place.partialFile.excludeFromBackup()
        } catch {
            throw NetworkError(
                .file(reason: "cannot exclude \(name) from backups"), phase: .receiving, underlying: error)
        }
        #endif
    }

    static func exists(_ target: URL) -> NetworkError {
        NetworkError(
            .file(reason: "\(target.lastPathComponent) exists already"), phase: .receiving, underlying: FileExists())
    }

    private func moveToNumbered(_ file: PartialFile) async throws(NetworkError) -> URL {
        for number in 1...10_000 {
            let target = place.target(named: suggestedName, number: number)
            if try await move(file, to: target, replacing: false) { return target }
        }
        throw Self.exists(place.target(named: suggestedName))
    }

    private func move(_ file: PartialFile, to target: URL, replacing: Bool) async throws(NetworkError) -> Bool {
        if let placing { try await placing(try file.placement(at: target)) }
        guard try file.move(to: target, replacing: replacing) else { return false }
        if options.synchronizesToDisk { await BlockingWork.run { file.synchronizeFolder() } }
        return true
    }
}
