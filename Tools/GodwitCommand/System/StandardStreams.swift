public import Godwit
import GodwitLibc

/// Standard output or standard error of this process.
struct StandardOutput: OutputSink {
    let isTerminal: Bool
    let file: OpenFile?
    private let descriptor: Int32
    private let call: BlockingCall
    /// The file type bits of its mode.
    private let type: mode_t

    init(descriptor: Int32) {
        self.descriptor = descriptor
        var status = stat()
        let isFileKnown = fstat(descriptor, &status) == 0
        type = isFileKnown ? status.st_mode & S_IFMT : 0
        isTerminal = isatty(descriptor) == 1
        file = isFileKnown ? OpenFile(device: UInt64(status.st_dev), number: UInt64(status.st_ino)) : nil
        call = BlockingCall(label: "godwit.output.\(descriptor)")
    }

    func write(_ data: Data) async throws(OutputError) {
        let fault =
            isImmediate(data.count)
            ? Self.writeAll(data, to: descriptor)
            : await call.run { [descriptor] in Self.writeAll(data, to: descriptor) }
        guard let fault else { throw .cancelled }
        if fault == EPIPE { throw .closed }
        guard fault == 0 else { throw .failed("cannot write the output: \(String(cString: strerror(fault)))") }
    }

    /// Whether a write doesn't block, so that another thread would cost more than the write: to a file, to a device such
    /// as /dev/null, or of a few bytes to a pipe with space.
    private func isImmediate(_ count: Int) -> Bool {
        switch type {
        case S_IFREG: true
        case S_IFCHR: !isTerminal
        case S_IFIFO: count <= PIPE_BUF && isReady
        default: false
        }
    }

    private var isReady: Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) == 1 && request.revents == Int16(POLLOUT)
    }

    /// Returns 0 or an errno.
    private static func writeAll(_ data: Data, to descriptor: Int32) -> Int32 {
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let chunk = UnsafeRawBufferPointer(rebasing: rest)
                let count = GodwitLibc.write(descriptor, chunk.baseAddress, chunk.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if count < 0, errno == EAGAIN {
                    waitUntilReady(descriptor, for: Int16(POLLOUT))
                } else if count == 0 || errno != EINTR {
                    return count == 0 ? EIO : errno
                }
            }
            return 0
        }
    }
}

/// Standard input of this process.
struct StandardInput: InputSource {
    /// A terminal and `/dev/null` are character devices.
    let isPiped: Bool = {
        var status = stat()
        return fstat(STDIN_FILENO, &status) == 0 && [S_IFIFO, S_IFREG, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }()

    private static let chunkSize = 64 << 10
    private let call = BlockingCall(label: "godwit.input")

    func read() async throws -> Data? {
        guard let result = await call.run({ Self.readOnce() }) else { throw CancellationError() }
        return try result.get()
    }

    private static func readOnce() -> Result<Data?, OutputError> {
        var chunk = Data(count: chunkSize)
        while true {
            let count = chunk.withUnsafeMutableBytes { GodwitLibc.read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 { return .success(count == 0 ? nil : Data(chunk.prefix(count))) }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitUntilReady(STDIN_FILENO, for: Int16(POLLIN))
            default: return .failure(.failed("cannot read standard input: \(String(cString: strerror(errno)))"))
            }
        }
    }
}

// Another program may have left the descriptor in non-blocking mode.
private func waitUntilReady(_ descriptor: Int32, for events: Int16) {
    var request = pollfd(fd: descriptor, events: events, revents: 0)
    _ = poll(&request, 1, -1)
}

/// What an output is written to, as the system knows it.
public struct OpenFile: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64

    /// Creates it from the numbers that `fstat` gives.
    public init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }
}

/// The output of a command: standard output, or a test's replacement.
public protocol OutputSink: Sendable {
    /// Whether the output is a terminal.
    var isTerminal: Bool { get }

    /// What is written to; `nil`, the default, if that isn't known.
    var file: OpenFile? { get }

    /// Writes all bytes, and waits for a slow reader.
    func write(_ data: Data) async throws(OutputError)
}

extension OutputSink {
    /// `nil`.
    public var file: OpenFile? { nil }
}

/// Why a write failed.
public enum OutputError: Error, Sendable, Hashable {
    /// The reader closed the output.
    case closed
    /// The task was canceled during the write.
    case cancelled
    case failed(String)
}

/// The input of a command: standard input, or a test's replacement.
public protocol InputSource: Sendable {
    /// Whether the input is a pipe or a file, and so may be a body. `false` by default, as for a terminal.
    var isPiped: Bool { get }

    /// Returns the next bytes, never empty; `nil` at the end.
    func read() async throws -> Data?
}

extension InputSource {
    /// Not piped.
    public var isPiped: Bool { false }
}

/// An input as the chunks of a request body.
struct InputChunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Element = Data

    let source: any InputSource

    func makeAsyncIterator() -> InputChunks { self }

    func next() async throws -> Data? { try await source.read() }
}
