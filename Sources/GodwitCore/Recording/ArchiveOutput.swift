import GodwitLibc
import GodwitSupport

/// The open file of an archive, which several recorders can write, also in several processes.
///
/// Under the lock of `NAME.lock`, each replaces the archive's end by its finished entries, what all recorders show of exchanges in
/// progress, and a new end. A recorder holds a shared lock of the file itself while it records, so that another one adds to the
/// file and doesn't replace it.
struct ArchiveOutput: Sendable {
    private let file: PrivateFile
    private let limit: Int64
    private var descriptor: Int32 = -1
    /// What this recorder shows of exchanges in progress, as it is in the file.
    private var shown = Data()
    /// Why nothing is written any more: the limit was reached, or another program replaced or changed the file.
    private(set) var fault: NetworkError?

    init(_ url: URL, limit: Int64) {
        file = PrivateFile(url, allowsSharedFolder: true)
        self.limit = limit
    }

    mutating func close() {
        fault = nil
        shown = Data()
        guard descriptor >= 0 else { return }
        FileLock.close(descriptor)
        descriptor = -1
    }

    /// Replaces the archive's end by entries and a new end, in one write. Blocks the thread while another recorder writes.
    ///
    /// - Parameter unfinished: Entries that the next call replaces.
    mutating func append(_ entries: [Data], showing unfinished: [Data]) throws(NetworkError) {
        try file.whileLocked { () throws(NetworkError) in
            try open()
            guard let end = ArchiveEnd(of: descriptor) else {
                throw stopped("\(file.name) was changed by another program")
            }
            try write(entries, showing: unfinished, over: end)
        }
    }

    private mutating func write(
        _ entries: [Data], showing unfinished: [Data], over end: ArchiveEnd
    ) throws(NetworkError) {
        var text = Data()
        var isFirst = end.isEmpty
        Self.add(entries, to: &text, &isFirst)
        let finished = end.finished + Int64(text.count)
        Self.add(end.others(than: shown), to: &text, &isFirst)
        guard end.finished + Int64(text.count + ArchiveEnd.size) <= limit else {
            throw stopped("\(file.name) has reached its limit of \(limit) bytes")
        }
        var (own, isAlone) = (Data(), true)
        Self.add(unfinished, to: &own, &isAlone)
        if !own.isEmpty { Self.add([own], to: &text, &isFirst) }
        text += ArchiveEnd.text(after: finished)
        // White space after the archive keeps it valid; a separate truncation could be prevented by a kill.
        let surplus = end.fileSize - end.finished - Int64(text.count)
        if surplus > 0 { text += Data(repeating: UInt8(ascii: " "), count: Int(surplus)) }
        guard put(text, at: end.finished) else { throw failed(errno, restoring: end) }
        shown = own
        if surplus > 0 { _ = ftruncate(descriptor, off_t(end.fileSize - surplus)) }
    }

    private static func add(_ entries: [Data], to text: inout Data, _ isFirst: inout Bool) {
        for entry in entries {
            if !isFirst { text += HAR.separator }
            text += entry
            isFirst = false
        }
    }

    // MARK: The file

    /// Opens the archive that others record, or else a new one, unless one is open that was not removed.
    private mutating func open() throws(NetworkError) {
        var status = stat()
        let wasOpen = descriptor >= 0
        if wasOpen, fstat(descriptor, &status) == 0, status.st_nlink > 0 { return }
        let shared = sharedArchive()
        if wasOpen, shared == nil, lstat(file.path, &status) == 0 {
            throw stopped("\(file.name) was replaced by another program")
        }
        close()
        if let shared {
            descriptor = shared
        } else {
            descriptor = try file.replaceKeepingOpen(with: HAR.head + ArchiveEnd.text(after: Int64(HAR.head.count)))
        }
        // Without locks in its file system, a second recorder replaces the file.
        _ = FileLock.share(descriptor)
    }

    /// The archive at the path, if another recorder is writing it.
    private func sharedArchive() -> Int32? {
        let found = GodwitLibc.open(file.path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard found >= 0 else { return nil }
        var status = stat()
        guard fstat(found, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            !FileLock.take(found), errno == EWOULDBLOCK, ArchiveEnd(of: found) != nil
        else {
            FileLock.close(found)
            return nil
        }
        return found
    }

    private mutating func stopped(_ reason: String) -> NetworkError {
        let error = PrivateFile.error(reason)
        fault = error
        return error
    }

    /// Makes the file again what it was, as far as the disk allows.
    private func failed(_ code: Int32, restoring end: ArchiveEnd) -> NetworkError {
        let text = end.shown + ArchiveEnd.text(after: end.finished)
        _ = put(text, at: end.finished)
        _ = ftruncate(descriptor, off_t(end.finished) + off_t(text.count))
        return PrivateFile.error("cannot write \(file.name): \(String(cString: strerror(code)))")
    }

    private func put(_ text: Data, at offset: Int64) -> Bool {
        text.withUnsafeBytes { Descriptor.write($0, to: descriptor, at: offset) }
    }
}

/// What follows the finished entries of an archive that is being written: entries of exchanges in progress, and a text of fixed
/// size that has the number of the bytes before them.
struct ArchiveEnd: Sendable {
    private static let opening = Data("\n],\"_finishedBytes\":\"".utf8)
    private static let closing = Data("\"}}\n".utf8)
    private static let digits = 19
    static let size = opening.count + digits + closing.count

    /// The size of the file.
    let fileSize: Int64
    /// The number of bytes up to the end of the entries that stay.
    let finished: Int64
    /// The entries of exchanges in progress, after a separator if others precede them.
    let shown: Data

    /// Reads the end of an open file; `nil` if it has none.
    init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        fileSize = Int64(status.st_size)
        let start = Self.sizeWithoutBlanks(fileSize, of: descriptor) - Int64(Self.size)
        guard start >= Int64(HAR.head.count),
            let finished = Self.finished(in: Self.bytes(start..<(start + Int64(Self.size)), of: descriptor)),
            (Int64(HAR.head.count)...start).contains(finished)
        else { return nil }
        self.finished = finished
        shown = Self.bytes(finished..<start, of: descriptor)
        guard Int64(shown.count) == start - finished else { return nil }
    }

    static func text(after finished: Int64) -> Data {
        let number = String(max(0, finished))
        return opening + Data(String(repeating: "0", count: max(0, digits - number.utf8.count)).utf8)
            + Data(number.utf8)
            + closing
    }

    /// Whether no entry stays.
    var isEmpty: Bool { finished == HAR.head.count }

    /// The entries in progress of other recorders.
    ///
    /// - Parameter own: What this recorder shows.
    func others(than own: Data) -> [Data] {
        var rest = shown[...]
        if rest.starts(with: HAR.separator) { rest = rest.dropFirst(HAR.separator.count) }
        guard !own.isEmpty, let place = rest.firstRange(of: own) else { return rest.isEmpty ? [] : [Data(rest)] }
        var (before, after) = (rest[..<place.lowerBound], rest[place.upperBound...])
        if before.suffix(HAR.separator.count) == HAR.separator { before = before.dropLast(HAR.separator.count) }
        if after.starts(with: HAR.separator) { after = after.dropFirst(HAR.separator.count) }
        return [before, after].filter { !$0.isEmpty }.map { Data($0) }
    }

    private static func finished(in text: Data) -> Int64? {
        guard text.count == size, text.starts(with: opening), text.suffix(closing.count) == closing else { return nil }
        return Int64(String(decoding: text.dropFirst(opening.count).prefix(digits), as: UTF8.self))
    }

    /// The file's size without the blanks that a killed process left at its end.
    private static func sizeWithoutBlanks(_ size: Int64, of descriptor: Int32) -> Int64 {
        var size = size
        while size > 0 {
            let start = max(0, size - 4096)
            let block = bytes(start..<size, of: descriptor)
            if block.isEmpty { return size }
            if let last = block.lastIndex(where: { $0 != UInt8(ascii: " ") }) {
                return start + Int64(last - block.startIndex) + 1
            }
            size = start
        }
        return 0
    }

    private static func bytes(_ range: Range<Int64>, of descriptor: Int32) -> Data {
        var data = Data(count: Int(range.upperBound - range.lowerBound))
        let count = data.withUnsafeMutableBytes { buffer in
            Descriptor.read(into: buffer, from: descriptor, at: range.lowerBound)
        }
        return data.prefix(count ?? 0)
    }
}
