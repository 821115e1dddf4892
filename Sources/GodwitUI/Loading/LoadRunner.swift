import GodwitCore
import GodwitSupport
import Observation

/// What a ``LoadRunner`` loads: a value or a list.
@MainActor
protocol LoadContent: AnyObject {
    /// Sends the request of a load, which ends with ``LoadRunner/finish(_:_:)``.
    func send(_ run: Run, _ load: LoadMachine.Load)
    func clear()
}

/// Performs the effects of a ``LoadMachine``.
@Observable @MainActor
final class LoadRunner {
    /// What to show, as in the machine.
    private(set) var state = LoadMachine.State.idle
    /// Whether a newer value is known to exist.
    private(set) var isStale = false
    /// How often the value was removed because the account changed.
    private(set) var resetCount = 0

    @ObservationIgnored private(set) var machine: LoadMachine
    @ObservationIgnored private var run: Run?
    /// When the request of the load in progress was sent.
    @ObservationIgnored private(set) var sendDate: Date?
    @ObservationIgnored private let network: NetworkReturn?
    @ObservationIgnored private lazy var accounts = AccountMark { [weak self] in self?.leaveAccount() }

    @ObservationIgnored weak var content: (any LoadContent)?
    /// Replaces a reset when the account changes.
    @ObservationIgnored var accountChanged: (@MainActor () -> Void)?
    /// Returns the current date.
    @ObservationIgnored var now: @Sendable () -> Date = { Date() }

    init(_ shape: LoadMachine.Shape, _ monitor: (any PathMonitor)?) {
        machine = LoadMachine(shape)
        network = monitor.map(NetworkReturn.init)
    }

    var isRunning: Bool { machine.attempt != nil }

    /// Whether a value of this date is older than a maximum age.
    func isOlder(_ date: Date?, than maxAge: Duration?) -> Bool {
        guard let maxAge, let date else { return false }
        let age = now().timeIntervalSince(date)
        // The age of a value from the future is unknown, as the clock was set back.
        return age < 0 || .bounded(seconds: age) >= maxAge
    }
}

// Accounts.
extension LoadRunner {
    /// Uses the account of a client before the first load.
    func note(_ session: AccountSession) { accounts.note(session) }

    /// The scope for work whose calls' accounts are recorded.
    func scope(_ policy: CachePolicy?) -> CallScope { accounts.scope(policy) }

    func leaveChangedAccount() { accounts.leaveChangedAccount() }

    private func leaveAccount() {
        resetCount += 1
        if let accountChanged { accountChanged() } else { send(.reset) }
    }
}

// Loads.
extension LoadRunner {
    /// Starts a load, replacing the one in progress.
    ///
    /// - Parameter isBackground: Whether it continues when no task waits for it.
    @discardableResult
    func begin(_ load: LoadMachine.Load, isBackground: Bool) -> Run? {
        send(.begin(load, isBackground: isBackground))
        return run
    }

    /// Loads, replacing the load in progress.
    func load(_ load: LoadMachine.Load, for owner: AnyObject) async {
        guard !Task.isCancelled else { return }
        leaveChangedAccount()
        begin(load, isBackground: false)
        await wait(for: owner)
    }

    /// Joins the load in progress, or begins one.
    func join(_ load: LoadMachine.Load, for owner: AnyObject) async {
        if !isRunning { begin(load, isBackground: false) }
        await wait(for: owner)
    }

    /// Waits for the load in progress, and for those that replace it.
    func wait(for owner: AnyObject) async {
        while let run, !Task.isCancelled {
            if await run.wait(for: owner) == .dismissed { return }
        }
    }

    /// Stops the tasks that wait for an owner, and cancels the load if no other task waits for it.
    ///
    /// - Parameter isAlone: Whether no other owner uses the value.
    func cancel(for owner: AnyObject, isAlone: Bool) {
        run?.dismissTasks(of: owner)
        if run?.isUnawaited ?? true { send(.left(isAlone: isAlone)) }
    }

    /// Shows what a load has read before its end.
    ///
    /// - Parameter arrival: What the content knows of it; `nil` for a stored reading.
    func read(_ arrival: LoadMachine.Arrival?, from run: Run, _ show: () -> Void) {
        guard run === self.run, !accounts.isOutdated else { return }
        send(.read(arrival), show: show)
    }

    /// The request of a load has ended.
    ///
    /// - Parameters:
    ///   - arrival: What the content knows of the result.
    ///   - keep: Merges it into the content.
    func finish<Loaded>(
        _ run: Run, _ outcome: Outcome<Loaded>, arrival: (Loaded) -> LoadMachine.Arrival,
        keep: (Loaded, _ lacksEvent: Bool) -> LoadMachine.Kept
    ) {
        guard run === self.run else { return }
        leaveChangedAccount()
        guard run === self.run else { return }
        switch outcome {
        case .success(let loaded): send(.arrived(arrival(loaded)), keep: { keep(loaded, $0) })
        case .failure(let error): send(.failed(error, isPrefetch: run.isPrefetch))
        }
    }
}

// Events and effects.
extension LoadRunner {
    /// - Parameters:
    ///   - show: Shows what was read, if that is the event.
    ///   - keep: Merges what arrived into the content, if that is the event.
    func send(
        _ event: LoadMachine.Event, show: () -> Void = {},
        keep: (_ lacksEvent: Bool) -> LoadMachine.Kept = { _ in LoadMachine.Kept() }
    ) {
        for effect in machine.receive(event) { perform(effect, show, keep) }
        if !isRunning { run = nil }
        publish()
    }

    private func perform(
        _ effect: LoadMachine.Effect, _ show: () -> Void, _ keep: (_ lacksEvent: Bool) -> LoadMachine.Kept
    ) {
        switch effect {
        case .start(_, let isBackground): start(isBackground: isBackground)
        case .send:
            guard let run, let attempt = machine.attempt else { return }
            sendDate = now()
            content?.send(run, attempt.load)
        case .keep(let lacksEvent):
            run?.isKept = true
            send(.kept(keep(lacksEvent)))
        case .show: show()
        case .cancel: run?.cancel()
        case .clear: content?.clear()
        case .waitForNetwork: network?.wait { [weak self] in self?.send(.networkReturned) }
        case .stopWaitingForNetwork: network?.stop()
        }
    }

    private func start(isBackground: Bool) {
        network?.begin()
        let former = run
        run = Run(isBackground: isBackground) { [weak self] run in
            if run === self?.run { self?.send(.abandoned) }
        }
        former?.cancel()
    }

    /// Observers are notified of what they can see only.
    private func publish() {
        if !state.looks(like: machine.state) { state = machine.state }
        if isStale != machine.isStale { isStale = machine.isStale }
    }
}

extension LoadMachine.State {
    /// Whether another state is shown in the same way. Another failure comes after another load.
    fileprivate func looks(like other: LoadMachine.State) -> Bool {
        switch (self, other) {
        case (.idle, .idle), (.settled(.loaded), .settled(.loaded)), (.settled(.failed), .settled(.failed)): true
        case (.running(let attempt), .running(let next)): attempt.load == next.load
        default: false
        }
    }
}
