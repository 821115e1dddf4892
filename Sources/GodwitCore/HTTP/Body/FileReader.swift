import GodwitLibc
import GodwitSupport
import Synchronization

/// Reads a region of a file sequentially. Closes the file when released.
package final class FileReader: Sendable {
    static let chunkSize = 128 << 10

    private let descriptor: Int32
    private let name: String
    private let start: Int64
    private let end: Int64
    private let position: Mutex<Int64>

    /// Opens the file. Throws `.file` if it can't be opened, isn't a regular file, or is shorter than the region.
    package init(_ region: FileRegion) throws(NetworkError) {
        name = region.url.lastPathComponent
        // Opening a pipe without a writer would block the thread, which may serve every exchange.
        descriptor = open(region.url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.failure("cannot open", name, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw NetworkError(.file(reason: "\(name) is not a regular file"), phase: .sending)
        }
        // It would be sent as an empty one.
        if region.length == nil, Self.isWithoutSize(descriptor, status) {
            close(descriptor)
            throw NetworkError(.file(reason: "the size of \(name) isn't known"), phase: .sending)
        }
        let size = Int64(status.st_size)
        start = region.offset
        end = region.length.map { region.offset.saturatingAdding($0) } ?? max(size, region.offset)
        guard start >= 0, start <= end, end <= size else {
            close(descriptor)
            throw NetworkError(.file(reason: "\(name) is shorter than the range asked for"), phase: .sending)
        }
        position = Mutex(start)
    }

    deinit {
        close(descriptor)
    }

    /// The number of bytes left to read.
    package var remaining: Int64 {
        position.withLock { end - $0 }
    }

    /// Moves to an offset from the start of the region. Returns `false` without moving if it is outside the region.
    package func seek(to offset: Int64) -> Bool {
        guard (0...(end - start)).contains(offset) else { return false }
        position.withLock { $0 = start + offset }
        return true
    }

    /// Fills the buffer up to the end of the region and returns the byte count; 0 at the end.
    ///
    /// Throws `.file` if the file has become shorter.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(NetworkError) -> Int {
        try read(into: buffer, by: { pread($0, $1, $2, off_t($3)) }) ?? 0
    }

    /// Reads with a custom system function. Returns `nil` if that function would block.
    ///
    /// - Parameter read: A function with the parameters of `pread`: descriptor, memory, size, position.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer,
        by read: (Int32, UnsafeMutableRawPointer?, Int, Int64) -> Int
    ) throws(NetworkError) -> Int? {
        let position = position.withLock { $0 }
        let wanted = Int(min(Int64(buffer.count), end - position))
        guard wanted > 0 else { return 0 }
        var count: Int
        repeat {
            count = read(descriptor, buffer.baseAddress, wanted, position)
        } while count < 0 && errno == EINTR
        if count < 0 && errno == EAGAIN { return nil }
        guard count >= 0 else { throw Self.failure("cannot read", name, errno) }
        guard count > 0 else { throw shortened }
        self.position.withLock { $0 = position + Int64(count) }
        return count
    }

    /// Returns the bytes at an offset from the start of the region, independent of the reader's position. Empty at the
    /// end.
    ///
    /// Throws `.file` if the file has become shorter.
    package func piece(at offset: Int64, upTo count: Int) throws(NetworkError) -> Data {
        let wanted = Int(min(Int64(count), end - start - offset))
        guard wanted > 0 else { return Data() }
        var piece = Data(count: wanted)
        var read: Int
        repeat {
            read = piece.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, wanted, off_t(start + offset)) }
        } while read < 0 && errno == EINTR
        guard read >= 0 else { throw Self.failure("cannot read", name, errno) }
        guard read > 0 else { throw shortened }
        return piece.prefix(read)
    }

    /// Returns the next bytes, or `nil` at the end.
    func read(upTo count: Int) throws(NetworkError) -> Data? {
        var chunk = Data(count: Int(min(Int64(count), remaining)))
        guard !chunk.isEmpty else { return nil }
        let read = chunk.withUnsafeMutableBytes { buffer in
            Result { () throws(NetworkError) in try self.read(into: buffer) }
        }
        chunk.count = try read.get()
        return chunk
    }

    /// Whether a file has bytes although its size is 0, as those of `/proc`.
    static func isWithoutSize(_ url: URL) -> Bool {
        var status = stat()
        guard stat(url.path, &status) == 0, status.st_size == 0 else { return false }
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return isWithoutSize(descriptor, status)
    }

    private static func isWithoutSize(_ descriptor: Int32, _ status: stat) -> Bool {
        var byte: UInt8 = 0
        return status.st_size == 0 && pread(descriptor, &byte, 1, 0) != 0
    }

    private var shortened: NetworkError {
        NetworkError(.file(reason: "\(name) became shorter while it was read"), phase: .sending)
    }

    private static func failure(_ what: String, _ name: String, _ code: Int32) -> NetworkError {
        NetworkError(.file(reason: "\(what) \(name): \(String(cString: strerror(code)))"), phase: .sending)
    }
}

/// A region of a file to read, not opened yet.
package struct FileRegion: Sendable {
    /// The file.
    package let url: URL
    /// The offset of the first byte.
    package let offset: Int64
    /// The number of bytes. `nil` means to the end of the file.
    package let length: Int64?

    /// The number of bytes to read. Asks the file system if the region extends to the end of the file.
    ///
    /// Throws `.file` if the file can't be opened.
    package func resolvedLength() throws(NetworkError) -> Int64 {
        if let length { return length }
        return try FileReader(self).remaining
    }

    func reader() -> Result<FileReader, NetworkError> {
        Result { () throws(NetworkError) in try FileReader(self) }
    }
}
