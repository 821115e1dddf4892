#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
package import GodwitBackground

/// Takes a folder's lock, if need be from an older process that holds it.
struct ServiceTakeover {
    /// For so long the lock is tried: a process that ends holds it until the last file is written.
    private static let patience = Duration.seconds(10)
    /// After so long a process that nobody can reach is ended.
    private static let silence = Duration.seconds(1)
    /// Between two tries, in microseconds.
    private static let pause: UInt32 = 20_000
    /// For so long an answer of the other process may take, in seconds.
    private static let answerTime = 2

    let settings: TransferServiceSettings

    private var places: TransferPlaces { settings.places }

    /// What the process that holds the lock says.
    private enum Answer {
        /// It goes on: it is as new as this one, or has something to send that must not be sent twice.
        case stays
        /// It ends.
        case ends
        /// It understands nothing of releases.
        case older(process: pid_t?)
        case none
    }

    /// Blocks. Throws `.isRunning` if another process serves the folder and goes on with it.
    func lock() throws(TransferService.Obstacle) -> DaemonLock {
        var hasSignalled = false
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
            case .older(let process) where !hasSignalled:
                hasSignalled = true
                if let process { LockRecord(process: process, release: 1).terminate() }
            case .none where !hasSignalled && ContinuousClock.now - start >= Self.silence:
                // It listens elsewhere, as one of release 1 does, or its socket was taken away.
                hasSignalled = true
                holder?.terminate()
            case .ends, .older, .none: break
            }
            usleep(Self.pause)
        }
        throw .failure(
            "another godwit-transferd (process \(holder?.process ?? 0)) holds \(places.lock.path), but does not answer")
    }

    /// Who holds the lock; one of release 1 is found by the socket that it has made.
    private var holder: LockRecord? {
        guard let record = LockRecord.holder(of: places.lock) else { return nil }
        guard record.process == 0 else { return record }
        let socket = "/run/user/\(geteuid())/godwit/transferd.socket"
        let process = LocalSocket.connected(to: socket, lineLimit: 0)?.peerProcess
        return LockRecord(process: process ?? 0, release: 1)
    }

    private func ask() -> Answer {
        // A passed socket is this process's own: who connects to it waits for this process.
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

/// What only one process of a folder holds. The kernel lets go of it where that process dies.
package final class DaemonLock: Sendable {
    private let descriptor: Int32

    /// Nil where another process holds it, or the file cannot be made; then errno is not `EWOULDBLOCK`.
    package init?(_ file: URL) {
        descriptor = open(file.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        ftruncate(descriptor, 0)
    }

    /// Lets another process have it.
    func release() {
        flock(descriptor, LOCK_UN)
    }

    /// Writes into the file who holds the lock.
    func note(_ record: LockRecord) {
        guard let data = try? JSONEncoder().encode(record) else { return }
        let bytes = Array(data)
        // That the disk is full costs a word in a message, no more.
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}

/// How deep a line's arrays and objects are nested. A decoder goes down with them, on a small stack.
enum NestingDepth {
    private static let limit = 16

    /// Whether no line of ours would be deeper.
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
