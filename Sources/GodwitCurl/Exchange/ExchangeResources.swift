#if os(Linux)
import GodwitCore
import GodwitSockets

/// What the exchanges of one engine share: its rules, its memory, its clock. Used on the engine's thread.
final class ExchangeResources {
    let configuration: CurlConfiguration
    let addresses: AddressList
    /// Where to connect instead of the URL's host.
    let targets: TargetList
    let proxies: ProxyRules
    /// Nil if no host has a rule.
    let rules: HostRules?
    var trust: EngineTrust
    let smallBuffers = BufferPool(size: 8 << 10, maximumIdle: 128)
    let largeBuffers = BufferPool(size: 128 << 10, maximumIdle: 16)
    /// Bytes of a streamed response that may wait for their reader.
    let streamBuffer: Int
    let mailbox: any ExchangeMailbox
    let poller: Poller
    /// The time of this turn of the loop, also for code that has no reference to this.
    let clock: UnsafeMutablePointer<LoopTime>
    var budget: TurnBudget

    init(
        _ configuration: CurlConfiguration, _ proxies: ProxyRules, _ rules: LoadedRules?, _ trust: EngineTrust,
        _ mailbox: any ExchangeMailbox, _ poller: Poller
    ) {
        self.configuration = configuration
        addresses = AddressList(configuration.addressOverrides)
        targets = TargetList(configuration.connectionTargets)
        self.proxies = proxies
        self.rules = rules.map { HostRules($0) }
        self.trust = trust
        streamBuffer = min(max(1, configuration.streamBuffer), 1 << 40)
        self.mailbox = mailbox
        self.poller = poller
        clock = poller.clock
        budget = TurnBudget(at: poller.clock.pointee)
    }

    var now: LoopTime { clock.pointee }
}

/// Asks the event loop of an exchange for something, from any thread.
protocol ExchangeMailbox: AnyObject, Sendable {
    /// The reader of a streamed response accepts more.
    func resumeReceiving(_ exchange: Exchange)
    /// The source of a streamed upload has more.
    func resumeSending(_ exchange: Exchange)
    func cancel(_ exchange: Exchange)
}
#endif
