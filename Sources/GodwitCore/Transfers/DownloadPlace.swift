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
