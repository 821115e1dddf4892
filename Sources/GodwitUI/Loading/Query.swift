import GodwitCore
import GodwitSupport
import Observation

/// A value loaded over the network, with its state. A loader has one of its own, or shares it with other loaders.
@Observable @MainActor
final class Query<Value: Sendable> {
    /// Loads a value and may show readings before the end.
    typealias Steps = @Sendable (_ show: @escaping Show) async throws -> LoadedValue<Value>
    typealias Show = @MainActor @Sendable (Reading<Value>) -> Void

    /// The value without mutations that aren't confirmed.
    var value: Value?
    /// The value with those mutations.
    var edit = Edit<Value>.none
    var reading: Reading<Value>?

    @ObservationIgnored var draft = Edit<Value>.none
    /// Whether a first value is among those that mutations and events changed while it was loaded.
    @ObservationIgnored private var changes: [(isEvent: Bool, isChanged: @MainActor (Value) -> Bool)] = []
    /// Whether a confirmed change removed the value.
    @ObservationIgnored var isRemoved = false
    /// When the request of the value was sent; `nil` if no value was loaded.
    @ObservationIgnored var date: Date?
    @ObservationIgnored var etag: String?
    /// Loads the value. Replaced by models that load another one.
    @ObservationIgnored var steps: Steps
    /// Called when the value changes, so that mutations are applied to it; `nil` for a query that isn't shared.
    @ObservationIgnored var baseChanged: (@MainActor (_ start: Int) -> Void)?
    /// Writes the confirmed value to the store's models; `nil` for one that isn't stored.
    @ObservationIgnored var keepModel: (@MainActor (Value?, _ etag: String?) -> Void)?
    let loads: LoadRunner

    init(_ monitor: (any PathMonitor)?, _ steps: @escaping Steps) {
        self.steps = steps
        loads = LoadRunner(.value, monitor)
        loads.content = self
    }

    /// What to show.
    var state: LoadingState<Value> { base.showing(edit) }

    /// The state without mutations that aren't confirmed.
    var base: LoadingState<Value> {
        switch loads.state {
        case .idle: .idle
        case .running: .loading(last: value)
        case .settled(.loaded): value.map { .loaded($0) } ?? .idle
        case .settled(.failed(let error, _, _)): .failed(error, last: value)
        }
    }

    /// Whether the value is a stored one that is stale, or a newer one is known to exist.
    var isStale: Bool { loads.isStale || (reading?.isStale ?? false) }
}

// Loading.
extension Query {
    /// Loads the value, unless it is loaded and newer than the maximum age. Joins a load in progress.
    func load(maxAge: Duration?, for owner: AnyObject) async {
        loads.leaveChangedAccount()
        guard !Task.isCancelled, isRunning || isNeeded(maxAge) else { return }
        await loads.join(loads.machine.nextLoad, for: owner)
    }

    /// Loads the value again, and returns what this load has returned; `nil` if it failed or was replaced.
    func value(for owner: AnyObject) async -> Value? {
        guard !Task.isCancelled, let run = loads.begin(.next, isBackground: false) else { return nil }
        await run.wait(for: owner)
        return run.isKept ? value : nil
    }

    /// Whether a load would send a request.
    func isNeeded(_ maxAge: Duration?) -> Bool {
        guard loads.machine.settled?.isLoaded == true, !isStale else { return true }
        return loads.isOlder(date, than: maxAge)
    }

    /// Notes a mutation that the server accepted, or an event. Before the first value arrives, it is unknown whether it
    /// changed that.
    func noteChange(isEvent: Bool, _ isChanged: @escaping @MainActor (Value) -> Bool) {
        if isRunning, value == nil { changes.append((isEvent, isChanged)) }
    }
}

extension Query: LoadContent {
    func send(_ run: Run, _ load: LoadMachine.Load) {
        changes = []
        let show: Show = { [weak self, weak run] reading in
            if let self, let run { self.show(reading, from: run) }
        }
        run.start(in: loads.scope(load.cachePolicy), { [steps] in try await steps(show) }) { [weak self] run, outcome in
            guard let self else { return }
            loads.finish(run, outcome, arrival: { arrival(of: $0.value) }, keep: keep)
        }
    }

    private func arrival(of value: Value) -> LoadMachine.Arrival {
        let changes = changes.filter { $0.isChanged(value) }
        return LoadMachine.Arrival(
            lacksMutation: changes.contains { !$0.isEvent }, lacksEvent: changes.contains(where: \.isEvent))
    }

    /// Shows a reading, unless a newer one is shown.
    private func show(_ reading: Reading<Value>, from run: Run) {
        let isStored = reading.source == .store
        if isStored, isNewer(than: reading) { return }
        loads.read(isStored ? nil : arrival(of: reading.value), from: run) {
            self.reading = reading
            etag = reading.etag
            value = reading.value
            baseChanged?(0)
        }
    }

    /// Whether the value is newer than a stored one. Without a date, it came from a mutation or an event, as may one that
    /// is equally old and wasn't stored.
    private func isNewer(than stored: Reading<Value>) -> Bool {
        guard let shown = reading ?? given else { return value != nil }
        return shown.source == .store ? shown.date > stored.date : shown.date >= stored.date
    }

    /// The value as a reading, if it doesn't come from one.
    private var given: Reading<Value>? {
        guard let date, let value else { return nil }
        return Reading(value: value, date: date, isStale: loads.isStale, source: .network)
    }

    private func keep(_ loaded: LoadedValue<Value>, lacksEvent: Bool) -> LoadMachine.Kept {
        // Events come faster than responses. What the last one said stays until the next load.
        if lacksEvent, value != nil { return LoadMachine.Kept() }
        value = reading?.value ?? loaded.value
        date = reading?.date ?? loads.sendDate
        etag = loaded.etag
        isRemoved = false
        // Mutations that are being sent are registered, if they change what is now known.
        baseChanged?(0)
        return LoadMachine.Kept()
    }

    func clear() {
        value = nil
        reading = nil
        date = nil
        etag = nil
        isRemoved = false
        draft = .none
        edit = .none
        baseChanged?(0)
    }
}
