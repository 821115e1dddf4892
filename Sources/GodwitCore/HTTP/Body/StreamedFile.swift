#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import GodwitSupport

/// A file that is read to its end or written in order: a pipe, a device, or a file without a size, such as those of `/proc`.
///
/// Waiting for the other end of a pipe blocks no task's thread, and ends when the task is canceled.
final class StreamedFile: Sendable {
    private let descriptor: Int32
    private let name: String
    private let phase: NetworkError.Phase

    /// Opens a file for reading. A pipe needs no writer yet. Throws `.file`.
    convenience init(reading url: URL) throws(NetworkError) {
        try self.init(url, O_RDONLY, .sending)
    }

    /// Opens an existing file for writing. Throws `.file`, also for a pipe without a reader.
    convenience init(writing url: URL) throws(NetworkError) {
        try self.init(url, O_WRONLY, .receiving)
    }

    private init(_ url: URL, _ direction: Int32, _ phase: NetworkError.Phase) throws(NetworkError) {
        name = url.lastPathComponent
        self.phase = phase
        descriptor = open(url.path, direction | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("cannot open") }
    }

    deinit {
        close(descriptor)
    }

    /// Returns the next bytes, or `nil` at the end. Throws `.file` or `.cancelled`.
    func next() async throws(NetworkError) -> Data? {
        var chunk = Data(count: FileReader.chunkSize)
        let count = try await ready(for: POLLIN, "cannot read") {
            chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
        }
        return count == 0 ? nil : chunk.prefix(count)
    }

    /// Writes all bytes. Throws `.file` or `.cancelled`.
    func write(_ data: Data) async throws(NetworkError) {
        var rest = data
        while !rest.isEmpty {
            rest = rest.dropFirst(
                try await ready(for: POLLOUT, "cannot write") {
                    rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
                })
        }
    }

    /// Repeats a call until it doesn't have to wait. Returns its result.
    ///
    /// A pipe that has had no writer isn't ready for reading, and a read would take that for its end.
    private func ready(
        for events: Int32, _ what: String, _ call: () -> Int
    ) async throws(NetworkError) -> Int {
        while true {
            if Task.isCancelled { throw NetworkError(.cancelled, phase: phase) }
            guard Descriptor.isReady(descriptor, for: events) else {
                await Descriptor.wait(descriptor, for: events)
                continue
            }
            let count = call()
            if count >= 0 { return count }
            guard errno == EAGAIN || errno == EINTR else { throw failure(what) }
        }
    }

    private func failure(_ what: String) -> NetworkError {
        NetworkError(.file(reason: "\(what) \(name): \(String(cString: strerror(errno)))"), phase: phase)
    }
}

// The methods hide the C functions.
private let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = { read($0, $1, $2) }
private let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }

extension HTTPBody {
    /// A file of a size that the system knows. Reading another one throws `.file`.
    package static func regularFile(at url: URL) -> HTTPBody {
        HTTPBody(.file(FileRegion(url: url, offset: 0, length: nil)))
    }

    /// A file of any kind. What can't be read fails when it is.
    static func anyFile(at url: URL) -> HTTPBody {
        switch FileKind(at: url.path) {
        case .special: .stream(once: FileChunks(url: url))
        case .regular where FileReader.isWithoutSize(url): .stream { FileChunks(url: url) }
        case .absent, .regular, .folder, .link, .tooLong: regularFile(at: url)
        }
    }
}

/// The bytes of a file of unknown length. Opened for each reading.
private struct FileChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let url: URL

    struct AsyncIterator: AsyncIteratorProtocol {
        let file: Result<StreamedFile, NetworkError>

        func next() async throws(NetworkError) -> Data? { try await file.get().next() }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(file: Result { () throws(NetworkError) in try StreamedFile(reading: url) })
    }
}
