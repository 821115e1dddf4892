#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

extension Exchange {
    /// When it has taken too long, if nothing happens before; nil for never.
    var deadline: LoopTime? { timing?.deadline }

    func expiredStage(at now: LoopTime) -> NetworkError.Stage {
        timing?.expiredStage(at: now) ?? .total
    }

    /// Whether bytes moved that libcurl or the kernel carry without a callback: then it has not been inactive.
    func hasMovedUnseen(at now: LoopTime) -> Bool {
        guard let handle, timing?.expiredStage(at: now) == .inactivity else { return false }
        timing?.look(progress(on: handle), at: now)
        return deadline.map { $0 > now } ?? true
    }

    private func progress(on handle: EasyHandle) -> UploadWatch.Progress {
        let resources = handle.resources
        let port = Int32(clamping: handle.localPort)
        var progress = UploadWatch.Progress(uploaded: Int64(handle.sentBodySize))
        progress.held = resources.configuration.features.heldUpload
        var tcp = godwit_connection_progress()
        guard port > 0, let descriptor = resources.poller.connection(from: port),
            godwit_get_connection_progress(descriptor, &tcp) == 0
        else { return progress }
        progress.kernel = UploadWatch.Progress.Kernel(acknowledged: tcp.acknowledged, queued: tcp.queued)
        // Bytes that arrive on a shared connection may belong to another exchange.
        let isSerial = resources.poller[descriptor]?.sharing == .exclusive || !mayShareConnection
        if isSerial, tcp.received > 0 {
            progress.received = handle.now + -Int64(tcp.milliseconds_since_receipt) * 1_000_000
        }
        return progress
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
        guard let handle else { return }
        timing?.connecting(at: handle.now)
        effects.insert(.noteDeadline)
    }

    /// Bytes moved on one of the caller's sides, or can again.
    func noteActivity(of party: ExchangeTiming.Party) {
        guard let handle else { return }
        if timing?.isSuspended == true { effects.insert(.noteDeadline) }
        timing?.resumes(after: party, at: handle.now)
    }

    /// The response has started, or continues.
    func noteHeaderLine(at now: LoopTime) {
        timing?.received(at: now)
    }

    /// The response's header is complete.
    func noteAnswer() {
        if timing?.isSuspended == true { effects.insert(.noteDeadline) }
        timing?.answered()
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
        let isRaced = handle.resources.poller.raced.contains(descriptor)
        return godwit_runs_on(handle.pointer, descriptor, isRaced ? 1 : 0) != 0
    }
}
#endif
