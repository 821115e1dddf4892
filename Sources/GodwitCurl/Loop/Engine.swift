import CGodwitCurl
import GodwitCore

/// libcurl's multi handle and the exchanges on it. Lives on the event loop's thread and nowhere else.
final class Engine {
    let poller: Poller
    let configuration: CurlConfiguration
    let chunkPool = ChunkPool()
    let addresses: AddressList
    let loop: EventLoop
    private let multi: MultiHandle
    private var idleHandles: [EasyHandle] = []
    private var active: [Exchange] = []
    /// Exchanges with received bytes that wait to be handed to their readers at the end of the turn.
    private var unflushed: [Exchange] = []
    /// Exchanges that ended in this turn and whose callers are told at its end, all at once: a caller's thread is then
    /// woken once per turn and not once per exchange.
    private var ended: [Exchange] = []
    private var deadlines = DeadlineScan()
    private var lastLimits = (timeouts: Timeouts(), limits: TimeLimits(Timeouts()))
    /// When libcurl wants to be called again, on the loop's clock; nil for never.
    private var curlDeadline: LoopTime?
    private var now = LoopTime.current()
    private var shutdownWaiters: [UnsafeContinuation<Void, Never>] = []
    private var isShutDown = false

    init(_ configuration: CurlConfiguration, loop: EventLoop, poller: Poller) {
        CurlLibrary.prepare()
        self.configuration = configuration
        addresses = AddressList(configuration.addressOverrides)
        self.loop = loop
        self.poller = poller
        multi = MultiHandle()
        multi.configure(configuration, owner: self)
    }

    /// Whether the loop may end: it was shut down and nothing is under way.
    var isFinished: Bool { isShutDown && active.isEmpty }

    // MARK: Commands

    func start(_ exchange: Exchange) {
        guard !isShutDown else { return exchange.fail(.shutdown, phase: .building) }
        guard !exchange.isCancelled else { return exchange.fail(.cancelled, phase: .connecting) }
        guard let handle = idleHandles.popLast() ?? EasyHandle(engine: self) else {
            return exchange.fail(.transport(.other("out of memory")), phase: .connecting)
        }
        guard exchange.begin(on: handle, at: now), multi.add(handle) else {
            exchange.detach()
            recycle(handle)
            return exchange.fail(.transport(.other("libcurl refused the exchange")), phase: .connecting)
        }
        exchange.slot = active.count
        active.append(exchange)
        note(exchange.deadline)
        // A handle that was added has something to do at once.
        curlDeadline = now
    }

    func cancel(_ exchange: Exchange) {
        exchange.isCancelled = true
        guard exchange.isActive else { return }
        remove(exchange)
        exchange.fail(.cancelled, phase: exchange.phase)
    }

    func resumeReceiving(_ exchange: Exchange) {
        if exchange.wasDrained() { resume(exchange) }
    }

    func resumeSending(_ exchange: Exchange) {
        resume(exchange)
    }

    private func resume(_ exchange: Exchange) {
        guard let handle = exchange.handle else { return }
        exchange.noteActivity()
        let code = handle.resume()
        // What libcurl had kept is handed over before this returns; refused, nothing may follow what was lost.
        guard code == CURLE_OK, exchange.failure == nil else { return remove(exchange, outcome: code) }
        note(exchange.deadline)
        guard exchange.isActive, exchange.resumeReceiving(at: now) else { return }
        resumed(exchange)
    }

    func resumeSending(_ exchange: Exchange) {
        guard exchange.isActive, exchange.resumeSending(at: now) else { return }
        resumed(exchange)
    }

    /// While it resumes a transfer libcurl hands over what it had kept, and goes on even where that was refused.
    private func resumed(_ exchange: Exchange) {
        guard exchange.failure != nil else { return note(exchange.deadline) }
        remove(exchange)
        exchange.report()
