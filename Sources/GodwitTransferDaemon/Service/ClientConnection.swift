#if os(Linux)
import Dispatch
import GodwitBackground
import Synchronization

/// One program's connection: reads commands and answers them, one after the other, on a thread of its own.
final class ClientConnection: Sendable {
    /// After so many seconds a program that does not read is given up.
    private static let patience = 30

    private let socket: LocalSocket
    private let queue: TransferQueue
    private let news = DispatchSemaphore(value: 0)
    private let isOver = Mutex(false)

    init(_ socket: LocalSocket, _ queue: TransferQueue) {
        self.socket = socket
        self.queue = queue
    }

    /// Serves the program until it goes, or ``end()``. Blocks.
    func serve() {
        // Whoever else got hold of the socket learns nothing, not even that.
        guard socket.isOwnUsers else { return }
        socket.setPatience(reading: 0, writing: Self.patience)
        guard queue.arrive() else { return }
        var sessions: Set<String> = []
        while let line = nextLine() {
            guard let command = command(line) else { continue }
            if sessions.insert(command.session).inserted { queue.join(command.session) }
            if case .follow(let session, let number) = command {
                follow(session, after: number)
            } else {
                guard let reply = queue.answer(command), write(reply) else { break }
            }
        }
        end()
        queue.unfollow(ObjectIdentifier(self))
        queue.leave(sessions)
    }

    /// Lets the program go.
    func end() {
        isOver.withLock { $0 = true }
        socket.end()
        news.signal()
    }

    private func nextLine() -> Data? {
        do throws(LineTooLong) {
            return try socket.line()
        } catch {
            _ = write(TransferReply(refusal: .invalid("a line has at most \(TransferCommand.lineLimit) bytes")))
            return nil
        }
    }

    private func command(_ line: Data) -> TransferCommand? {
        do {
            guard NestingDepth.isModest(line) else { throw TransferRefusal.invalid("the line makes no sense") }
            return try JSONDecoder().decode(TransferCommand.self, from: line)
        } catch {
            let refusal = error as? TransferRefusal ?? .invalid("the line makes no sense")
            if !write(TransferReply(refusal: refusal)) { socket.end() }
            return nil
        }
    }

    private func write(_ reply: TransferReply) -> Bool {
        guard let line = try? JSONEncoder().encode(reply) else { return false }
        return socket.write(line)
    }

    /// Tells what happened, and what happens from now on, on another thread.
    private func follow(_ session: String, after number: Int64) {
        let news = news
        queue.follow(session, as: ObjectIdentifier(self)) { news.signal() }
        let thread = SystemThread { [self] in
            var last = number
            while !isOver.withLock(\.self) {
                guard let events = try? queue.events(of: session, after: last) else { return socket.end() }
                if let latest = events.last {
                    guard write(TransferReply(events: events)) else { return socket.end() }
                    last = latest.id
                } else {
                    news.wait()
                }
            }
        }
        guard let thread else { return socket.end() }
        thread.detach()
    }
}
#endif
