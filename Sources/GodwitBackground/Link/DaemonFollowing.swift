#if os(Linux)

import GodwitCore
import GodwitLibc
import GodwitSupport
import Synchronization

/// Reads a session's events over a separate connection.
final class DaemonFollowing: TransferFollowing {
    /// How many connections in a row may fail before a reply.
    private static let attempts = 20

    private struct State {
        var socket: LocalSocket?
        var pending: [BackgroundEvent] = []
        var last: Int64 = 0
        var isOver = false
    }

    private let link: DaemonLink
    private let era: Int
    private let state = Mutex(State())

    init(_ link: DaemonLink) {
        self.link = link
        era = link.era
        link.note(self) { [weak self] in self?.end() }
    }

    deinit {
        link.forget(ObjectIdentifier(self))
        end()
    }

    /// Waits for the next event; `nil` at the end.
    func next() async throws(NetworkError) -> BackgroundEvent? {
        if let event = taken() { return event }
        let result = await withTaskCancellationHandler {
            await BlockingWork.run { [self] in
                Result { () throws(NetworkError) in try awaited() }
            }
        } onCancel: {
            end()
        }
        return try result.get()
    }

    private func taken() -> BackgroundEvent? {
        state.withLock { state in
            guard !state.isOver, !state.pending.isEmpty else { return nil }
            let event = state.pending.removeFirst()
            state.last = event.id
            return event
        }
    }

    private func awaited() throws(NetworkError) -> BackgroundEvent? {
        var failures = 0
        while failures < Self.attempts {
            if failures > 0 { usleep(UInt32(min(10_000 << failures, 1_000_000))) }
            guard !isOver else { return nil }
            guard let socket = try connection() else {
                failures += 1
                continue
            }
            guard let reply = try DaemonLink.reply(on: socket) else {
                state.withLock { $0.socket = nil }
                failures += 1
                continue
            }
            failures = 0
            state.withLock { state in
                let last = state.last
                state.pending += (reply.events ?? []).filter { $0.id > last }
            }
            if let event = taken() { return event }
        }
        throw DaemonLink.lost
    }

    private var isOver: Bool { state.withLock(\.isOver) || link.era != era }

    /// The connection that sends the events; `nil` if it failed.
    private func connection() throws(NetworkError) -> LocalSocket? {
        if let socket = state.withLock(\.socket) { return socket }
        do throws(NetworkError) {
            let socket = try link.connected()
            socket.setPatience(reading: 0, writing: 30)
            let isKept = state.withLock { state in
                if !state.isOver { state.socket = socket }
                return !state.isOver
            }
            let after = state.withLock(\.last)
            guard isKept, socket.write(try link.line(for: .follow(link.session, after: after))) else { return nil }
            return socket
        } catch {
            if case .transport = error.kind { return nil }
            throw error
        }
    }

    private func end() {
        let socket = state.withLock { state in
            state.isOver = true
            return state.socket
        }
        socket?.end()
    }
}
#endif
