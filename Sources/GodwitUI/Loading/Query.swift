import GodwitCore
import GodwitSupport
import Observation

/// A value loaded over the network, with its state. A loader has one of its own, or shares it with other loaders.
@Observable @MainActor
final class Query<Value: Sendable> {
    /// Loads a value and may show readings before the end.
    typealias Steps = @Sendable (_ show: @escaping Show) async throws -> LoadedValue<Value>
    typealias Show = @MainActor @Sendable (Reading<Value>) -> Void

    /// The state without mutations that aren't confirmed.
    var base = LoadingState<Value>.idle
    /// The value with those mutations.
    var edit = Edit<Value>.none
    var reading: Reading<Value>?
    /// Whether a newer value is known to exist.
    var isInvalidated = false
    /// How often the value was removed because the account changed.
    private(set) var resetCount = 0

    /// The state to return to on cancellation; never `.loading`.
    @ObservationIgnored var settled = LoadingState<Value>.idle
    @ObservationIgnored var draft = Edit<Value>.none
    @ObservationIgnored private var run: Run?
    /// The run that loaded the value.
    @ObservationIgnored private weak var lastRun: Run?
    /// The mutations when the current run was sent.
    @ObservationIgnored private var mutationsBeforeRun = MutationGate.History()
    /// Whether the value arrived while a mutation was being sent, so it is unknown which of them is newer.
    @ObservationIgnored private(set) var isUncertain = false
    /// Whether a first value is among those that mutations changed while it was loaded.
    @ObservationIgnored private var changes: [(isEvent: Bool, isChanged: @MainActor (Value) -> Bool)] = []
    /// How often the current run was sent again because of events.
    @ObservationIgnored private var restarts = 0
    /// The purpose of the current or failed load.
    @ObservationIgnored private var purpose = LoadingPurpose.show
    /// Whether a confirmed change removed the value.
    @ObservationIgnored var isRemoved = false
    /// When the request of the value was sent; `nil` if no value was loaded.
    @ObservationIgnored var date: Date?
    @ObservationIgnored private var dateOfRun: Date?
    @ObservationIgnored var etag: String?
    @ObservationIgnored private let watch: NetworkReturn?
    @ObservationIgnored private lazy var accounts = AccountMark { [weak self] in self?.leaveAccount() }

    /// Loads the value. Replaced by models that load another one.
    @ObservationIgnored var steps: Steps
    /// Replaces ``reset()`` when the account changes.
    @ObservationIgnored var accountChanged: (@MainActor () -> Void)?
    /// Called when the base changes, so that mutations are applied to it; `nil` for a query that isn't shared.
    @ObservationIgnored var baseChanged: (@MainActor (_ start: Int) -> Void)?
    /// Writes the confirmed value to the store's models; `nil` for one that isn't stored.
    @ObservationIgnored var keepModel: (@MainActor (Value?, _ etag: String?) -> Void)?
    /// Returns the current date.
    @ObservationIgnored var now: @Sendable () -> Date = { Date() }
    @ObservationIgnored let gate = MutationGate()

    init(_ monitor: (any PathMonitor)?, _ steps: @escaping Steps) {
        self.steps = steps
        watch = monitor.map(NetworkReturn.init)
    }

    /// Uses the account of a client before the first load.
    func note(_ session: AccountSession) { accounts.note(session) }

    /// What to show.
    var state: LoadingState<Value> { base.showing(edit) }

    /// Whether a run is in progress.
    var isRunning: Bool { run != nil }

    /// Whether the value is a stored one that is stale, or a newer one is known to exist.
    var isStale: Bool { isInvalidated || (reading?.isStale ?? false) }
}

// Loading.
extension Query {
    /// Loads the value, unless it is loaded and newer than the maximum age. Joins a load in progress.
    func load(maxAge: Duration?, for owner: AnyObject) async {
        leaveChangedAccount()
        guard !Task.isCancelled, run != nil || isNeeded(maxAge) else { return }
        if run == nil { begin(purposeOfLoad, isBackground: false) }
        await wait(for: owner)
    }

    /// Loads a newer value, replacing a load in progress.
    func refresh(for owner: AnyObject) async {
        guard !Task.isCancelled else { return }
        leaveChangedAccount()
        begin(.refresh, isBackground: false)
        await wait(for: owner)
    }

    /// Loads the value again, subject to the cache policies.
    func reload(for owner: AnyObject) async {
        guard !Task.isCancelled else { return }
        begin(.show, isBackground: false)
        await wait(for: owner)
    }

    /// Loads the value again, and returns what this load has returned; `nil` if it failed or was replaced.
    func value(for owner: AnyObject) async -> Value? {
        guard !Task.isCancelled else { return nil }
        let run = begin(.show, isBackground: false)
        await run.wait(for: owner)
        return lastRun === run ? settled.value : nil
    }

    /// Whether a load would send a request.
    func isNeeded(_ maxAge: Duration?) -> Bool {
        guard settled.isLoaded, !isStale else { return true }
        guard let maxAge, let date else { return false }
        let age = now().timeIntervalSince(date)
        // The age of a value from the future is unknown, as the clock was set back.
        return age < 0 || .bounded(seconds: age) >= maxAge
    }

    private var purposeOfLoad: LoadingPurpose {
        if isInvalidated { return .refresh }
        return state.error == nil ? .show : purpose
    }

    /// Starts a run again that is in progress.
    private func restart() { begin(.refresh, isBackground: run?.isBackground ?? true) }

    /// Starts a run, replacing the one in progress.
    ///
    /// - Parameter isBackground: Whether it continues when no task waits for it.
    @discardableResult
    func begin(_ purpose: LoadingPurpose, isBackground: Bool) -> Run {
        watch?.begin()
        self.purpose = purpose
        let former = run
        let next = Run(isBackground: isBackground) { [weak self] in self?.forget($0) }
        run = next
        former?.cancel()
        base = .loading(last: settled.value)
        (mutationsBeforeRun, dateOfRun, changes) = (gate.beginLoad(), now(), [])
        let show: Show = { [weak self, weak next] reading in
            guard let self, let next, next === run else { return }
            self.show(reading)
        }
        next.start(in: accounts.scope(purpose.cachePolicy), work(for: next, show)) { [weak self] in
            self?.finish($0, $1)
        }
        return next
    }

    private func work(for run: Run, _ show: @escaping Show) -> @Sendable () async throws -> LoadedValue<Value> {
        // A first value is shown even if a mutation may change it: something is better than nothing.
        guard gate.isClosed, settled.value != nil else { return { [steps] in try await steps(show) } }
        return { [steps, weak self, weak run] in
            await self?.waitToSend(run)
            return try await steps(show)
        }
    }

    /// Waits until no mutation is being sent. What begins afterwards overlaps with the run.
    private func waitToSend(_ run: Run?) async {
        await gate.pass()
        guard let run, run === self.run else { return }
        (mutationsBeforeRun, dateOfRun) = (gate.history, now())
    }

    /// Waits for the run in progress, and for those that replace it.
    func wait(for owner: AnyObject) async {
        while let run, !Task.isCancelled {
            if await run.wait(for: owner) == .dismissed { return }
        }
    }
}

// The end of a run.
extension Query {
    /// Stops the tasks that wait for an owner, and cancels the load if no other task waits for it.
    ///
    /// - Parameter isAlone: Whether no other owner uses the value. Loads that weren't begun by an owner, and the wait for
    ///   a network, belong to all of them.
    func cancel(for owner: AnyObject, isAlone: Bool) {
        run?.dismissTasks(of: owner)
        guard run?.isUnawaited ?? true, isAlone || run?.isBackground == false else { return }
        cancel()
    }

    /// Cancels the load in progress, and the wait for a network.
    func cancel() {
        watch?.stop()
        run?.cancel()
        settle()
    }

    /// Cancels the load in progress and removes the value.
    func reset() {
        (settled, lastRun, isRemoved) = (.idle, nil, false)
        cancel()
        (reading, date, etag, isInvalidated, isUncertain) = (nil, nil, nil, false, false)
        (draft, edit) = (.none, .none)
        if base.isLoaded || base.error != nil { base = .idle }
        baseChanged?(0)
    }

    /// Marks the value as stale, so that the next load asks the server. A load in progress starts again, as its result
    /// may be from before the change.
    func invalidate() {
        isInvalidated = true
        if run != nil { restart() }
    }

    /// Shows a reading, unless a newer one is shown.
    private func show(_ reading: Reading<Value>) {
        guard !accounts.isOutdated else { return }
        switch reading.source {
        case .store: if let shown = self.reading ?? given, shown.date > reading.date { return }
        case .network: if mayLackMutation(reading.value) || mayLackEvent(reading.value) { return }
        }
        (self.reading, etag) = (reading, reading.etag)
        settled = .loaded(reading.value)
        base = .loading(last: reading.value)
        baseChanged?(0)
        // The response of a mutation that is being sent may come before the end of the run, and be older than this.
        if reading.source == .network { isUncertain = gate.hasOvertaken(mutationsBeforeRun, isFirst: false) }
    }

    /// The value as a reading, if it doesn't come from one.
    private var given: Reading<Value>? {
        guard let date, let value = settled.value else { return nil }
        return Reading(value: value, date: date, isStale: isInvalidated, source: .network)
    }

    /// Notes a mutation that the server accepted, or an event. Before the first value arrives, it is unknown whether it
    /// changed that.
    func noteChange(isEvent: Bool, _ isChanged: @escaping @MainActor (Value) -> Bool) {
        if run != nil, settled.value == nil { changes.append((isEvent, isChanged)) }
    }

    /// Whether the result of the current run may lack a mutation.
    private func mayLackMutation(_ value: Value) -> Bool {
        gate.hasOvertaken(mutationsBeforeRun, isFirst: settled.value == nil)
            || changes.contains { !$0.isEvent && $0.isChanged(value) }
    }

    /// Whether the result of the current run may be older than an event.
    private func mayLackEvent(_ value: Value) -> Bool {
        gate.history.events != mutationsBeforeRun.events || changes.contains { $0.isEvent && $0.isChanged(value) }
    }

    private func finish(_ run: Run, _ outcome: Outcome<LoadedValue<Value>>) {
        guard run === self.run else { return }
        leaveChangedAccount()
        guard run === self.run else { return }
        switch outcome {
        case .success(let loaded) where mayLackMutation(loaded.value): return restart()
        case .success(let loaded) where mayLackEvent(loaded.value) && restarts < MutationGate.maximumRestarts:
            restarts += 1
            return restart()
        case .success(let loaded):
            // Events come faster than responses. What the last one said stays until the next load.
            let isDoubtful = mayLackEvent(loaded.value)
            if !isDoubtful || settled.value == nil { keep(loaded) }
            lastRun = run
            if isDoubtful { isInvalidated = true }
            if gate.hasOvertaken(mutationsBeforeRun, isFirst: false) { return distrust() }
        case .failure(let error) where error.isCancellation || run.isPrefetch: break
        case .failure(let error): settled = .failed(error, last: settled.value)
        }
        settleAndWaitForNetwork()
    }

    private func keep(_ loaded: LoadedValue<Value>) {
        settled = .loaded(reading?.value ?? loaded.value)
        date = reading?.date ?? dateOfRun
        etag = loaded.etag
        (isUncertain, isInvalidated, isRemoved) = (false, false, false)
        // Mutations that are being sent close the gate, if they change what is now known.
        baseChanged?(0)
    }

    /// Loads the value again after the mutations that are being sent: one of them may be newer or older.
    func distrust() {
        (isUncertain, isInvalidated) = (true, true)
        begin(.refresh, isBackground: true)
    }

    func leaveChangedAccount() {
        accounts.leaveChangedAccount()
    }

    private func leaveAccount() {
        resetCount += 1
        if let accountChanged { accountChanged() } else { reset() }
    }

    private func forget(_ run: Run) {
        if run === self.run { settleAndWaitForNetwork() }
    }

    /// Settles, and waits for a network if that may help, also after a canceled retry.
    private func settleAndWaitForNetwork() {
        settle()
        guard settled.error?.mayPassWithNetwork == true else { return }
        watch?.wait { [weak self] in
            guard let self else { return }
            begin(purpose, isBackground: true)
        }
    }

    private func settle() {
        (run, restarts) = (nil, 0)
        if base.isLoading { base = settled }
    }
}
