import GodwitCore

extension LoadMachine {
    /// Changes the state, and returns what to do in this order.
    package mutating func receive(_ event: Event) -> [Effect] {
        switch event {
        case .begin(let load, let isBackground): return begin(load, isBackground: isBackground)
        case .read(let arrival): return read(arrival)
        case .arrived(let arrival): return arrive(arrival)
        case .kept(let kept): return keep(kept)
        case .failed(let error, let isPrefetch): return fail(error, isPrefetch: isPrefetch)
        case .canceled: return cancel()
        case .abandoned: return abandon()
        case .left(let isAlone): return leave(isAlone: isAlone)
        case .networkReturned: return retry()
        case .mutationBegan(let scope): beginMutation(scope)
        case .mutationEnded(let scope): return endMutation(scope)
        case .serverEvent: mutations.addEvent()
        case .serverEventDuringMutation:
            raise(.conflicting)
            return begin(.refetch, isBackground: true)
        case .invalidated: return invalidate()
        case .set(let origin): set(origin)
        case .removed: remove()
        case .restored:
            state = .settled(.loaded)
            freshness = .invalidated
        case .reset: return reset()
        }
        return []
    }

    private mutating func raise(_ least: Freshness) { freshness = max(freshness, least) }

    private mutating func settle(_ settled: Settled?) { state = settled.map(State.settled) ?? .idle }
}

// Loads.
extension LoadMachine {
    private mutating func begin(
        _ load: Load, isBackground: Bool, restarts: Int = 0, awaitsElements: Bool = false
    ) -> [Effect] {
        mutations.forgetElements()
        var attempt = Attempt(
            load: load, isBackground: isBackground, former: settled, stage: .sent(since: mutations.mark),
            restarts: restarts, awaitsElements: awaitsElements)
        let isWaiting = mustWait(attempt)
        if isWaiting { attempt.stage = .waiting }
        state = .running(attempt)
        let start = Effect.start(load, isBackground: isBackground)
        return isWaiting ? [start] : [start, .send]
    }

    /// Sends a load again.
    private mutating func restart(_ attempt: Attempt, restarts: Int, awaitsElements: Bool = false) -> [Effect] {
        // A cached value would be from before the change. A page is found by its place.
        let load = shape == .value ? .refetch : attempt.load
        return begin(
            load, isBackground: attempt.isBackground, restarts: restarts, awaitsElements: awaitsElements)
    }

    /// Whether a load must wait for mutations. First content is shown even if a mutation may change it: something is better
    /// than nothing.
    private func mustWait(_ attempt: Attempt) -> Bool {
        guard hasContent else { return false }
        return isNextPage(attempt) && !attempt.awaitsElements ? mutations.isSendingWhole : mutations.isSending
    }

    /// Whether the elements that are there stay.
    private func isNextPage(_ attempt: Attempt) -> Bool {
        shape == .pages && attempt.load == .next && attempt.former?.hasContent == true
    }

    private mutating func read(_ arrival: Arrival?) -> [Effect] {
        guard var attempt, case .sent(let mark) = attempt.stage else { return [] }
        if let arrival, lacksMutation(arrival, attempt, mark) || lacksEvent(arrival, mark) { return [] }
        attempt.former = .loaded
        if arrival != nil {
            attempt.isShown = true
            if mutations.hasOvertaken(mark, isFirst: false) { raise(.conflicting) }
        }
        state = .running(attempt)
        return [.show]
    }

    private mutating func arrive(_ arrival: Arrival) -> [Effect] {
        guard var attempt, case .sent(let mark) = attempt.stage else { return [] }
        if lacksMutation(arrival, attempt, mark) {
            return restart(attempt, restarts: attempt.restarts, awaitsElements: true)
        }
        let lacksEvent = lacksEvent(arrival, mark)
        if lacksEvent, attempt.restarts < Self.maximumRestarts {
            return restart(attempt, restarts: attempt.restarts + 1)
        }
        attempt.stage = .arrived(since: mark, lacksEvent: lacksEvent)
        state = .running(attempt)
        return [.keep(lacksEvent: lacksEvent)]
    }

    private func lacksMutation(_ arrival: Arrival, _ attempt: Attempt, _ mark: MutationHistory.Mark) -> Bool {
        if arrival.lacksMutation { return true }
        return isNextPage(attempt)
            ? mutations.hasMoved(since: mark) : mutations.hasOvertaken(mark, isFirst: !hasContent)
    }

    private func lacksEvent(_ arrival: Arrival, _ mark: MutationHistory.Mark) -> Bool {
        arrival.lacksEvent || mutations.hasEvent(since: mark)
    }

    /// The result is the value. Mutations that change what is now known are registered as being sent.
    private mutating func keep(_ kept: Kept) -> [Effect] {
        // Unless another load has begun meanwhile, or the account has changed.
        guard let attempt, case .arrived(let mark, let lacksEvent) = attempt.stage else { return [] }
        let isNextPage = isNextPage(attempt)
        if !isNextPage { freshness = .fresh }
        if lacksEvent { raise(.stale) }
        let isOvertaken =
            isNextPage ? mutations.hasMoved(since: mark) : mutations.hasOvertaken(mark, isFirst: false)
        if kept.isConflicting || isOvertaken { raise(.conflicting) }
        settle(.loaded)
        if freshness >= .invalidated { return begin(.refetch, isBackground: true) }
        switch kept.next {
        case nil: return []
        case .inBackground: return begin(.next, isBackground: true)
        case .forWaiters: return begin(.next, isBackground: attempt.isBackground)
        }
    }

    private mutating func fail(_ error: NetworkError, isPrefetch: Bool) -> [Effect] {
        guard let attempt else { return [] }
        if error.isCancellation || isPrefetch { return abandon() }
        settle(.failed(error, attempt.load, hasContent: hasContent))
        return effectsOfFailure
    }

    private mutating func retry() -> [Effect] {
        guard case .settled(.failed(_, let load, _)) = state else { return [] }
        return begin(load, isBackground: true)
    }
}

// The end of a load.
extension LoadMachine {
    private mutating func cancel() -> [Effect] {
        guard let attempt else { return [.stopWaitingForNetwork] }
        settle(attempt.former)
        return [.stopWaitingForNetwork, .cancel]
    }

    /// A retry that is abandoned waits for a network as the failed load did.
    private mutating func abandon() -> [Effect] {
        guard let attempt else { return [] }
        settle(attempt.former)
        return effectsOfFailure
    }

    private var effectsOfFailure: [Effect] {
        guard case .settled(.failed(let error, _, _)) = state, error.mayPassWithNetwork else { return [] }
        return [.waitForNetwork]
    }

    /// Loads that weren't begun by an observer, and the wait for a network, belong to all of them.
    private mutating func leave(isAlone: Bool) -> [Effect] {
        isAlone || attempt?.isBackground == false ? cancel() : []
    }

    private mutating func reset() -> [Effect] {
        let effects = cancel()
        state = .idle
        freshness = .fresh
        return effects + [.clear]
    }
}

// Changes of the value.
extension LoadMachine {
    private mutating func beginMutation(_ scope: MutationHistory.Scope) {
        mutations.begin(scope)
        // Its response may come before the end of the load, and be older than what was read.
        if attempt?.isShown == true { raise(.conflicting) }
    }

    private mutating func endMutation(_ scope: MutationHistory.Scope) -> [Effect] {
        mutations.end(scope)
        guard var attempt, case .waiting = attempt.stage, !mustWait(attempt) else { return [] }
        attempt.stage = .sent(since: mutations.mark)
        state = .running(attempt)
        return [.send]
    }

    /// A load in progress starts again, as its result may be from before the change. The next page of a list is kept first:
    /// then the list is read again with it.
    private mutating func invalidate() -> [Effect] {
        if shape == .value || hasContent { raise(.invalidated) }
        guard let attempt, !isNextPage(attempt) else { return [] }
        return restart(attempt, restarts: attempt.restarts)
    }

    private mutating func set(_ origin: ConfirmedOrigin) {
        if origin == .server { freshness = .fresh }
        guard origin == .client, case .failed(let error, let load, _) = settled else { return replaceSettled(.loaded) }
        replaceSettled(.failed(error, load, hasContent: true))
    }

    private mutating func remove() { replaceSettled(nil) }

    /// Replaces what a load in progress returns to, or the state.
    private mutating func replaceSettled(_ settled: Settled?) {
        guard var attempt else { return settle(settled) }
        attempt.former = settled
        state = .running(attempt)
    }
}
