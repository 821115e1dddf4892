import CGodwitCurl
import GodwitCore

extension Exchange {
    /// When it has taken too long, if nothing happens before; nil for never.
    var deadline: LoopTime? { timing?.deadline }

    func expiredStage(at now: LoopTime) -> NetworkError.Stage {
        timing?.expiredStage(at: now) ?? .total
    }

    /// Whether bytes moved that libcurl or the kernel carry without a callback: then it has not been inactive.
    func hasMovedUnseen(at now: LoopTime) -> Bool {
        guard let handle, timing?.expiredStage(at: now) == .inactivity else { return false }
        timing?.look(handle.host.progress(of: handle), at: now)
        return deadline.map { $0 > now } ?? true
    }

    /// Whether it waits in libcurl's queue, and has for longer than making a connection may take.
    func hasQueuedTooLong(at now: LoopTime) -> Bool { timing?.hasQueuedTooLong(at: now) ?? false }

    /// Whether it has no connection after longer than making one may take, wherever it waited.
    func hasWaitedTooLongToConnect(at now: LoopTime) -> Bool { timing?.hasWaitedTooLongToConnect(at: now) ?? false }

    /// Whether it waits for the caller's side.
    var waitsForCaller: Bool { timing?.waitsForCaller ?? false }

    /// How many milliseconds it has waited for the server; nil if it is not connected, or waits for the caller.
    func waited(at now: LoopTime) -> Int64? { timing?.waited(at: now) }

    /// libcurl looks up a name or opens a socket.
    func noteConnecting() {
        guard let host else { return }
        timing?.connecting(at: host.now)
        host.note(deadline)
    }

    /// Bytes moved on one of the caller's sides, or can again.
    func noteActivity(of party: ExchangeTiming.Party) {
        guard let host else { return }
        let wasSuspended = timing?.isSuspended ?? false
        timing?.resumes(after: party, at: host.now)
        if wasSuspended { host.note(deadline) }
    }

    /// The response has started, or continues.
    func noteHeaderLine() {
        guard let host else { return }
        timing?.received(at: host.now)
    }

    /// The response's header is complete.
    func noteAnswer() {
        let wasSuspended = timing?.isSuspended ?? false
        timing?.answered()
        if wasSuspended { host?.note(deadline) }
    }
}

extension Exchange {
    /// Whether other exchanges may use its connection too.
    var mayShareConnection: Bool { handle?.protocols.mayShare(request.url.scheme) ?? false }

    /// The port of its connection's own end; `nil` if it is not connected yet, or no longer.
    var localPort: Int? {
        guard let handle, state.sendCount > 0, !flow.hasEnded else { return nil }
        return godwit_get_long(handle.pointer, CURLINFO_LOCAL_PORT)
    }

    /// Whether it was sent on the connection with this port on our end, and no response has come.
    func awaitsResponse(on port: Int) -> Bool { state.isAwaitingResponse && localPort == port }

    func runs(on descriptor: Int32) -> Bool {
        guard let handle, state.sendCount > 0, !flow.hasEnded else { return false }
        let isRaced = handle.host.poller.raced.contains(descriptor)
        return godwit_runs_on(handle.pointer, descriptor, isRaced ? 1 : 0) != 0
    }
}
