import GodwitLibc
import Synchronization

/// An open pipe, device, or file without a size, which is read to its end or written in order.
///
/// Opening it and calls on it don't block. The wait for the other end of a pipe runs on another thread, and ends when the task
/// is canceled. Closed when released.
public final class StreamDescriptor: Sendable {
    public enum Direction: Sendable {
        case reading, writing
    }

    public enum Fault: Error, Sendable, Hashable {
        case cancelled
        /// A system call failed with this `errno`.
        case system(Int32)
    }

    /// How late a waiting thread notices that its task was canceled.
    private static let slice = Duration.milliseconds(50)

    private let descriptor: Int32
    private let events: Int32

    /// Opens a file. A pipe to read needs no writer yet; one to write needs a reader.
    public init(_ path: String, for direction: Direction) throws(Fault) {
        let isRead = direction == .reading
        events = isRead ? POLLIN : POLLOUT
        descriptor = open(path, (isRead ? O_RDONLY : O_WRONLY) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno) }
    }

    /// Takes over a file that was opened for reading, without blocking.
    public init(adopting descriptor: Int32) {
        self.descriptor = descriptor
        events = POLLIN
    }

    deinit {
        close(descriptor)
    }

    /// Reads a file of any kind to its end on the current thread, which it blocks while a pipe has no writer or no bytes.
    ///
    /// - Parameter isOver: Whether to give up. Asked again and again. By default, whether the task is canceled.
    public static func contents(
        of path: String, unless isOver: () -> Bool = { Task.isCancelled }
    ) throws(Fault) -> [UInt8] {
        try StreamDescriptor(path, for: .reading).rest(upTo: .max, unless: isOver)
    }

    /// Reads the rest on the current thread, which it blocks.
    ///
    /// - Parameters:
    ///   - limit: Where to stop. A few bytes more may be returned, which tells that there are more.
    ///   - isOver: Whether to give up. Asked again and again.
    public func rest(upTo limit: Int, unless isOver: () -> Bool) throws(Fault) -> [UInt8] {
        var all: [UInt8] = []
        while all.count < limit {
            let bytes = try readBlocking(upTo: 64 << 10, unless: isOver)
            if bytes.isEmpty { break }
            all += bytes
        }
        return all
    }

    /// Returns the next bytes; none at the end.
    public func read(upTo limit: Int) async throws(Fault) -> [UInt8] {
        while true {
            if Task.isCancelled { throw .cancelled }
            if let bytes = try readNow(upTo: limit) { return bytes }
            await waitElsewhere()
        }
    }

    /// The same on the current thread, which it blocks.
    private func readBlocking(upTo limit: Int, unless isOver: () -> Bool) throws(Fault) -> [UInt8] {
        while true {
            if isOver() { throw .cancelled }
            if let bytes = try readNow(upTo: limit) { return bytes }
            wait(unless: isOver)
        }
    }

    /// Writes all bytes.
    public func write(_ bytes: [UInt8]) async throws(Fault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            if Task.isCancelled { throw .cancelled }
            let count = try attempt { rest.withUnsafeBytes { GodwitLibc.write(descriptor, $0.baseAddress, $0.count) } }
            if let count { rest = rest.dropFirst(count) } else { await waitElsewhere() }
        }
    }

    private func readNow(upTo limit: Int) throws(Fault) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        return try attempt { GodwitLibc.read(descriptor, &bytes, limit) }.map { Array(bytes[..<$0]) }
    }

    /// Returns `nil` if the call would have to wait. A pipe that has had no writer isn't ready, and a read would take that for
    /// its end.
    private func attempt(_ call: () -> Int) throws(Fault) -> Int? {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        guard poll(&entry, 1, 0) != 0 else { return nil }
        let count = call()
        if count >= 0 { return count }
        guard errno == EAGAIN || errno == EINTR else { throw .system(errno) }
        return nil
    }

    private func waitElsewhere() async {
        let cancellation = Cancellation()
        await withTaskCancellationHandler {
            await BlockingWork.run { [self] in wait { cancellation.isRequested.load(ordering: .relaxed) } }
        } onCancel: {
            cancellation.isRequested.store(true, ordering: .relaxed)
        }
    }

    private func wait(unless isOver: () -> Bool) {
        while !isOver(), !Descriptor.wait(descriptor, for: events, until: .now + Self.slice) {}
    }

    private final class Cancellation: Sendable {
        let isRequested = Atomic(false)
    }
}
