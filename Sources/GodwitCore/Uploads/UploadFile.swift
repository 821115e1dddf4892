import GodwitLibc
import GodwitSupport

/// The file of an upload as it was at the start. A changed file must not be continued: the server would get a mixture.
struct UploadFile: Sendable, Hashable {
    /// What changes if the file is written to or replaced.
    struct Identity: Sendable, Hashable {
        let size: Int64
        /// In nanoseconds since 1970.
        let modified: Int64
        let inode: UInt64
    }

    let url: URL
    let identity: Identity

    init(url: URL, identity: Identity) {
        self.url = url
        self.identity = identity
    }

    /// Throws `.file` if the file can't be read, or isn't a regular file.
    init(_ url: URL) throws(NetworkError) {
        guard url.isFileURL, !url.path.utf8.contains(0) else {
            throw NetworkError(.file(reason: "the source is not a file URL"), phase: .building)
        }
        let url = url.absoluteURL.standardizedFileURL
        // A file without permission fails here, and not after the server was asked.
        _ = try FileReader(FileRegion(url: url, offset: 0, length: nil))
        self.init(url: url, identity: try Self.identity(of: url))
    }

    var size: Int64 { identity.size }

    /// Throws `.file` if the file changed since the upload started.
    func confirm() throws(NetworkError) {
        guard try Self.identity(of: url) == identity else {
            throw NetworkError(
                .file(reason: "\(url.lastPathComponent) changed since its upload started"), phase: .sending)
        }
    }

    /// A range of the file as a body.
    func body(_ range: Range<Int64>) -> HTTPBody {
        range.isEmpty ? .empty : .file(at: url, range: range)
    }

    private static func identity(of url: URL) throws(NetworkError) -> Identity {
        var status = stat()
        guard stat(url.path, &status) == 0 else {
            let reason = String(cString: strerror(errno))
            throw NetworkError(.file(reason: "cannot open \(url.lastPathComponent): \(reason)"), phase: .sending)
        }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        let seconds = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let modified =
            seconds.overflow ? Int64(time.tv_sec) : seconds.partialValue.saturatingAdding(Int64(time.tv_nsec))
        return Identity(
            size: Int64(status.st_size), modified: modified, inode: UInt64(truncatingIfNeeded: status.st_ino))
    }
}

extension UploadFile {
    /// How much is read at once for a digest.
    private static let block = 256 << 10

    /// The digest of a range. Reads it in blocks; for SHA-1, which is only for old servers, as a whole.
    func digest(of range: Range<Int64>, _ algorithm: TusChecksum) async throws(NetworkError) -> [UInt8] {
        let region = FileRegion(url: url, offset: range.lowerBound, length: range.upperBound - range.lowerBound)
        return try await BlockingWork.run {
            Result { () throws(NetworkError) in
                let reader = try FileReader(region)
                switch algorithm {
                case .sha256: return try Self.sha256(reader)
                case .sha1: return SHA1.digest(try Self.all(reader, Int(clamping: reader.remaining)))
                }
            }
        }.get()
    }

    private static func sha256(_ reader: FileReader) throws(NetworkError) -> [UInt8] {
        var digest = SHA256()
        while let block = try reader.read(upTo: block) { digest.update(block) }
        return digest.finish()
    }

    private static func all(_ reader: FileReader, _ count: Int) throws(NetworkError) -> Data {
        var data = Data(capacity: count)
        while let block = try reader.read(upTo: block) { data.append(block) }
        return data
    }
}
