#if os(Linux)

package import GodwitBackground
import GodwitLibc
import GodwitSupport

/// Acquires a folder's lock, if necessary from an older process.
struct ServiceTakeover {
    /// How long to wait for the lock, as a process that ends holds it until its last file is written.
    private static let patience = Duration.seconds(10)
    /// How long the lock's holder may be unreachable before it is terminated.
    private static let silence = Duration.seconds(1)
    /// The time between two attempts, in microseconds.
    private static let pause: UInt32 = 20_000
    /// How long a reply of the other process may take, in seconds.
    private static let answerTime = 2

    let settings: TransferServiceSettings

    private var places: TransferPlaces { settings.places }

    /// The reply of the process that holds the lock.
    private enum Answer {
        /// It continues: it isn't older, or sends an upload that must not be sent twice.
        case stays
        /// It ends.
        case ends
        /// It doesn't support releases.
        case older(process: pid_t?)
        case none
    }

    /// Blocks. Throws `.isRunning` if another process serves the folder and continues.
    func lock() throws(TransferService.Obstacle) -> DaemonLock {
        var hasSignaled = false
        let start = ContinuousClock.now
        while ContinuousClock.now - start < Self.patience {
            if let lock = DaemonLock(places.lock) {
                lock.note(LockRecord(process: getpid(), release: settings.release))
                return lock
            }
            guard errno == EWOULDBLOCK else {
                throw .failure("cannot lock \(places.lock.path): \(String(cString: strerror(errno)))")
            }
            switch ask() {
            case .stays: throw .isRunning
            case .older(let process) where !hasSignaled:
                hasSignaled = true
                if let process { LockRecord(process: process, release: 1).terminate() }
            case .none where !hasSignaled && ContinuousClock.now - start >= Self.silence:
                // It listens elsewhere, as release 1 does, or its socket was removed.
                hasSignaled = true
                holder?.terminate()
            case .ends, .older, .none: break
            }
            usleep(Self.pause)
        }
        throw .failure(
            "another godwit-transferd (process \(holder?.process ?? 0)) holds \(places.lock.path) but doesn't answer")
    }

    /// The process that holds the lock. Release 1 is found by its socket.
    private var holder: LockRecord? {
        guard let record = LockRecord.holder(of: places.lock) else { return nil }
        guard record.process == 0 else { return record }
        let socket = "/run/user/\(geteuid())/godwit/transferd.socket"
        let process = LocalSocket.connected(to: socket, lineLimit: 0)?.peerProcess
        return LockRecord(process: process ?? 0, release: 1)
    }

    private func ask() -> Answer {
        // A connection to a passed socket would wait for this process itself.
        guard settings.passedSockets.isEmpty,
            let socket = LocalSocket.connected(to: places.socket.path, lineLimit: TransferCommand.lineLimit)
        else { return .none }
        socket.setPatience(reading: Self.answerTime, writing: Self.answerTime)
        guard
            let line = try? JSONEncoder().encode(
                TransferCommand.handOver("godwit-transferd", release: settings.release)),
            socket.write(line), let answer = try? socket.line(),
            let reply = try? JSONDecoder().decode(TransferReply.self, from: answer)
        else { return .none }
        if reply.refusal?.code == .version { return .older(process: socket.peerProcess) }
        return reply.isEnding == true ? .ends : .stays
    }
}

/// A lock that one process per folder holds. The kernel releases it when the process dies.
package final class DaemonLock: Sendable {
    private let descriptor: Int32

    /// `nil` if another process holds it (errno is `EWOULDBLOCK`), or the file can't be created.
    package init?(_ file: URL) {
        descriptor = open(file.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0, FileLock.take(descriptor) else { return nil }
        ftruncate(descriptor, 0)
    }

    /// Releases the lock.
    func release() {
        flock(descriptor, LOCK_UN)
    }

    /// Writes the holder into the lock file.
    func note(_ record: LockRecord) {
        guard let data = try? JSONEncoder().encode(record) else { return }
        let bytes = Array(data)
        // If the disk is full, only error messages lack the process ID.
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }

    deinit {
        if descriptor >= 0 { FileLock.close(descriptor) }
    }
}

/// The nesting depth of arrays and objects in a line. Decoding recurses with it, on a small stack.
enum NestingDepth {
    private static let limit = 16

    /// Whether the depth is within the limit for valid lines.
    static func isModest(_ line: Data) -> Bool {
        var (depth, isText, isEscaped) = (0, false, false)
        for byte in line {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isText
            } else if byte == UInt8(ascii: "\"") {
                isText.toggle()
            } else if !isText, byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
                depth += 1
                if depth > limit { return false }
            } else if !isText, byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
                depth -= 1
            }
        }
        return true
    }
}
#endif
