#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
/// Where a download goes: the file or folder, and the hidden files beside it that hold what is there so far.
///
/// The hidden names follow from destination and URL alone, so that a later run finds them.
struct DownloadPlace: Sendable {
    /// More bytes of a name are cut, so that the endings and a draft's name fit behind it.
    private static let longestStem = 160

    let destination: URL
    let isFolder: Bool
    private let url: HTTPURL

    init(_ destination: URL, isFolder: Bool, url: HTTPURL) {
        self.destination = destination
        self.isFolder = isFolder
        self.url = url
    }

    /// The place a caller means: a folder where there is one, or where the URL ends with a slash.
    init(_ destination: URL, url: HTTPURL) {
        let place = destination.absoluteURL.standardizedFileURL
        self.init(place, isFolder: destination.hasDirectoryPath || Self.isFolder(place), url: url)
    }

    var folder: URL { isFolder ? destination : destination.deletingLastPathComponent() }

    /// The bytes that are there so far.
    var partialFile: URL { hidden("godwit-part") }

    /// What they are: a ``DownloadTicket``.
    var ticketFile: URL { hidden("godwit-ticket") }

    /// The ticket while it is written. The run that holds the partial file is the only one that does so.
    var ticketDraft: URL { hidden("godwit-ticket.tmp") }

    func removeTicket() {
        unlink(ticketFile.path)
        unlink(ticketDraft.path)
    }

    /// The file to be, where that is known before the server answers.
    var knownTarget: URL? { isFolder ? nil : destination }

    /// The file to be, under the name that the server suggests where the caller gave none.
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

    static func exists(_ url: URL) -> Bool {
        var status = stat()
        return lstat(url.path, &status) == 0
    }

    private static func isFolder(_ url: URL) -> Bool {
        var status = stat()
        return stat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private func file(_ name: String) -> URL {
        folder.appending(path: name, directoryHint: .notDirectory)
    }

    /// The last segment of the URL's path, made safe.
    private var nameInURL: String {
        let segment = url.path.split(separator: "/").last.map(String.init) ?? ""
        return SafeFileName(PercentEncoding.decode(segment) ?? segment)?.text ?? "download"
    }

    private func hidden(_ ending: String) -> URL {
        let name = isFolder ? nameInURL : destination.lastPathComponent
        var stem = ""
        for character in name {
            guard stem.utf8.count + character.utf8.count <= Self.longestStem else { break }
            stem.append(character)
        }
        // What the name does not tell apart any more, or never did.
        let mark = isFolder ? url.absoluteString : name
        if isFolder || stem != name { stem += "-" + Self.mark(mark) }
        return file(".\(stem).\(ending)")
    }

    /// Sixteen digits that two texts hardly share (FNV-1a).
    private static func mark(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Hexadecimal.encode(hash)
    }
}

/// Where a complete file is about to go: enough to tell after a crash whether it got there.
///
/// A move keeps a file's number, so the file that has it in the new place is the one that was downloaded.
package struct DownloadPlacement: Sendable, Hashable, Codable {
    /// Is called before each move, which waits for it.
    package typealias Note = @Sendable (DownloadPlacement) async throws(NetworkError) -> Void

    /// The path of the file to be.
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

    /// Whether the file is in its place.
    package var isDone: Bool { isAt(target) }

    /// Removes what a move that was interrupted has left of a download's hidden files.
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

/// Puts a complete file into its place.
struct DownloadFinish: Sendable {
    let place: DownloadPlace
    /// The name that the server suggests, made safe.
    let suggestedName: String?
    let existingFile: DownloadOptions.ExistingFile
    let synchronizesToDisk: Bool
    let isExcludedFromBackup: Bool
    /// Is told before each move to where the file goes; what it throws ends it, and nothing is moved.
    let placing: DownloadPlacement.Note?

    /// Moves the file, and returns where it is. It stays where it was where this fails.
    func callAsFunction(_ file: PartialFile) async throws(NetworkError) -> URL {
        let target = place.target(named: suggestedName)
        try excludeFromBackup(target.lastPathComponent)
        switch existingFile {
        case .replace:
            _ = try await move(file, to: target, replacing: true)
        case .fail, .keepIfComplete:
            guard try await move(file, to: target, replacing: false) else { throw Self.exists(target) }
        case .keepBoth:
            return try await moveBeside(file)
        }
        return target
    }

    /// Marks the file before it is moved: only Apple's systems have such a mark.
    private func excludeFromBackup(_ name: String) throws(NetworkError) {
        #if canImport(Darwin)
        guard isExcludedFromBackup else { return }
        do {
            try place.partialFile.excludeFromBackup()
        } catch {
            throw NetworkError(
                .file(reason: "cannot exclude \(name) from backups"), phase: .receiving, underlying: error)
        }
        #endif
    }

    static func exists(_ target: URL) -> NetworkError {
        NetworkError(.file(reason: "\(target.lastPathComponent) exists already"), phase: .receiving)
    }

    private func moveBeside(_ file: PartialFile) async throws(NetworkError) -> URL {
        for number in 1...10_000 {
            let target = place.target(named: suggestedName, number: number)
            if try await move(file, to: target, replacing: false) { return target }
        }
        throw Self.exists(place.target(named: suggestedName))
    }

    private func move(_ file: PartialFile, to target: URL, replacing: Bool) async throws(NetworkError) -> Bool {
        if let placing { try await placing(try file.placement(at: target)) }
        guard try file.move(to: target, replacing: replacing) else { return false }
        if synchronizesToDisk { file.synchronizeFolder() }
        return true
    }
}
