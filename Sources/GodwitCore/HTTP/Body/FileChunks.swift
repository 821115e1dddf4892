#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import GodwitSupport
import Synchronization

/// The bytes of a file whose size isn't known: a pipe, a device, or a file that the system writes while it is read, such as
/// those of `/proc`.
///
/// Opening and reading may wait for another process, so they run on threads of their own. If the task is canceled, it doesn't
/// wait; the thread ends when the other process writes or closes the pipe.
struct FileChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let url: URL

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let file: OpenFile

        mutating func next() async throws(NetworkError) -> Data? {
            let file = file
            guard let result = await BlockingWork.runUnlessCancelled({ file.read() }) else {
                throw NetworkError(.cancelled, phase: .sending)
            }
            return try result.get()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(file: OpenFile(url)) }
}

/// Opens a file with the first read, and closes it when released.
private final class OpenFile: Sendable {
    private let url: URL
    private let descriptor = Mutex(Int32?.none)

    init(_ url: URL) {
        self.url = url
    }

    deinit {
        descriptor.withLock { if let descriptor = $0 { _ = close(descriptor) } }
    }

    /// Returns the next bytes, or `nil` at the end. Called by one thread at a time.
    func read() -> Result<Data?, NetworkError> {
        descriptor.withLock { descriptor in
            let file = descriptor ?? open(url.path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return .failure(.unreadable(url, "cannot open", errno)) }
            descriptor = file
            var chunk = Data(count: FileReader.chunkSize)
            var count: Int
            repeat {
                count = chunk.withUnsafeMutableBytes { readBytes(file, $0.baseAddress, $0.count) }
            } while count < 0 && errno == EINTR
            guard count >= 0 else { return .failure(.unreadable(url, "cannot read", errno)) }
            return .success(count == 0 ? nil : Data(chunk.prefix(count)))
        }
    }
}

// The method hides the C function.
private let readBytes: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = { read($0, $1, $2) }

extension HTTPBody {
    /// A file of a size that the system knows, or nothing readable. Reading anything else throws `.file`.
    package static func regularFile(at url: URL) -> HTTPBody {
        HTTPBody(.file(FileRegion(url: url, offset: 0, length: nil)))
    }
}

extension FileRegion {
    /// How the bytes of a whole file can be read.
    enum Reading {
        /// The system knows the size; or there is nothing to read, which shows when the file is opened.
        case sized
        /// The size isn't known, and each reading starts at the beginning.
        case unsized
        /// The bytes can be read once.
        case once
    }

    static func reading(of url: URL) -> Reading {
        var status = stat()
        guard stat(url.path, &status) == 0 else { return .sized }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .sized
        case S_IFREG:
            guard status.st_size == 0 else { return .sized }
            let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { return .sized }
            defer { close(descriptor) }
            return hasBytes(descriptor) ? .unsized : .sized
        default: return .once
        }
    }

    /// Whether there is anything to read, whatever size the system shows.
    static func hasBytes(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        return pread(descriptor, &byte, 1, 0) > 0
    }
}

extension NetworkError {
    /// A file that can't be read, and the `errno`.
    static func unreadable(_ url: URL, _ what: String, _ code: Int32) -> NetworkError {
        NetworkError(
            .file(reason: "\(what) \(url.lastPathComponent): \(String(cString: strerror(code)))"), phase: .sending)
    }
}
