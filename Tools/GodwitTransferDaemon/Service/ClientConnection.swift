#if os(Linux)

import Dispatch
import GodwitBackground
import GodwitSupport
import Synchronization

/// The connection of a program: reads commands and replies in order, on a separate thread.
final class ClientConnection: Sendable {
    /// How long a program may not read before it is disconnected, in seconds.
    private static let patience = 30
    /// How many sessions one connection may use. A program has one for each of its sessions.
    private static let sessionLimit = 100

    private let socket: LocalSocket
    private let queue: TransferQueue
    private let newEvents = DispatchSemaphore(value: 0)
    private let isOver = Mutex(false)

    init(_ socket: LocalSocket, _ queue: TransferQueue) {
        self.socket = socket
        self.queue = queue
    }

    /// Serves the program until it disconnects, or ``end()``. Blocks.
    func serve() {
        // Other users get no reply.
        guard socket.isOwnUsers else { return }
        socket.setPatience(reading: 0, writing: Self.patience)
        guard queue.arrive() else { return }
        var sessions: Set<String> = []
        while let line = nextLine() {
            guard let command = command(line) else { continue }
            guard sessions.contains(command.session) || sessions.count < Self.sessionLimit else {
                let refusal = TransferRefusal.invalid("a connection serves at most \(Self.sessionLimit) sessions")
                guard write(TransferReply(refusal: refusal)) else { break }
                continue
            }
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

    /// Disconnects the program.
    func end() {
        isOver.withLock { $0 = true }
        socket.end()
        newEvents.signal()
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
            guard NestingDepth.isModest(line) else { throw TransferRefusal.invalid("the line is not a valid command") }
            return try JSONDecoder().decode(TransferCommand.self, from: line)
        } catch {
            let refusal = error as? TransferRefusal ?? .invalid("the line is not a valid command")
            if !write(TransferReply(refusal: refusal)) { socket.end() }
            return nil
        }
    }

    private func write(_ reply: TransferReply) -> Bool {
        guard let line = try? JSONEncoder().encode(reply) else { return false }
        return socket.write(line)
    }

    /// Sends the session's events on another thread, those so far and new ones.
    private func follow(_ session: String, after number: Int64) {
        let newEvents = newEvents
        queue.follow(session, as: ObjectIdentifier(self)) { newEvents.signal() }
        let thread = SystemThread { [self] in
            var last = number
            while !isOver.withLock(\.self) {
                guard let events = try? queue.events(of: session, after: last) else { return socket.end() }
                if let latest = events.last {
                    guard write(TransferReply(events: events)) else { return socket.end() }
                    last = latest.id
                } else {
                    newEvents.wait()
                }
            }
        }
        guard let thread else { return socket.end() }
        thread.detach()
    }
}
#endif
