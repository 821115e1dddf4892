public import GodwitCore
import GodwitSupport

extension QueryStore {
    /// Sends a change to the server and shows its effect at once, which is undone if the server refuses it.
    ///
    /// ```swift
    /// try await queries.mutate(.rename(id: 42, to: title)) { $0[.article(id: 42)]?.title = title }
    /// try await queries.mutate(.create(draft)) { changes, article in changes.insert(article, in: list) }
    /// ```
    ///
    /// - **Order**: mutations of the same value are sent one after another.
    /// - **Success**: the effect becomes part of the confirmed values. Values (not lists) that a loader shows are loaded
    ///   again, except those that `confirming` sets.
    /// - **Failure**: the effect is undone. If the server may have applied the change, as after a timeout, or if it
    ///   refused it because the value is another one there (409, 412), the values are loaded again.
    /// - **Cancellation** of the calling task cancels the request. Use ``ActionModel/start(_:)`` for a mutation that
    ///   outlives its screen.
    ///
    /// - Parameters:
    ///   - endpoint: The request that changes something.
    ///   - tags: Values that change with it; see ``QueryOptions/tags``.
    ///   - change: The effect. It is applied again whenever a newer value is loaded in the meantime, so it must depend
    ///     on nothing else.
    ///   - confirming: Sets values that the server sent with its response.
    /// - Returns: The response's value.
    @discardableResult
    public func mutate<Output: Sendable>(
        _ endpoint: Endpoint<Output>, invalidating tags: Set<String> = [],
        _ change: @escaping @MainActor (QueryChanges) -> Void,
        confirming: @escaping @MainActor (QueryChanges, Output) -> Void = { _, _ in }
    ) async throws(NetworkError) -> Output {
        try await perform(OptimisticUpdate(change), tags, confirming) { update throws(NetworkError) in
            try await self.send(endpoint, by: update)
        }
    }

    /// Sends a change to the server and shows its effect when the server confirms it.
    ///
    /// ```swift
    /// try await queries.mutate(.create(draft)) { changes, article in changes.insert(article, in: list) }
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: The request that changes something.
    ///   - tags: Values that change with it; see ``QueryOptions/tags``.
    ///   - confirming: Sets values that the server sent with its response.
    /// - Returns: The response's value.
    @discardableResult
    public func mutate<Output: Sendable>(
        _ endpoint: Endpoint<Output>, invalidating tags: Set<String> = [],
        confirming: @escaping @MainActor (QueryChanges, Output) -> Void
    ) async throws(NetworkError) -> Output {
        try await mutate(endpoint, invalidating: tags, { _ in }, confirming: confirming)
    }

    /// Sends a change that the server applies only to the version that was loaded (`If-Match`).
    ///
    /// ```swift
    /// try await queries.mutate(.save(draft), of: .article(id: 42)) { $0[.article(id: 42)]?.title = draft.title }
    /// ```
    ///
    /// Throws `.client(status: 412)` if the server has another version, after loading that one: it is shown then, and
    /// ``value(of:)`` returns it. Without a known `ETag`, or with a weak one, the condition is `*`: the value must exist.
    /// After a change that came without a new `ETag`, the known one stays until the value is loaded again: the server then
    /// refuses, rather than overwrites what somebody else may have changed.
    ///
    /// - Parameters:
    ///   - endpoint: The request that changes something.
    ///   - subject: The endpoint of the value that it changes.
    ///   - tags: Values that change with it; see ``QueryOptions/tags``.
    ///   - change: The effect, as in ``mutate(_:invalidating:_:confirming:)``.
    ///   - confirming: Sets values that the server sent with its response.
    /// - Returns: The response's value.
    @discardableResult
    public func mutate<Output: Sendable, Subject: Sendable>(
        _ endpoint: Endpoint<Output>, of subject: Endpoint<Subject>, invalidating tags: Set<String> = [],
        _ change: @escaping @MainActor (QueryChanges) -> Void,
        confirming: @escaping @MainActor (QueryChanges, Output) -> Void = { _, _ in }
    ) async throws(NetworkError) -> Output {
        let query = query(subject).query
        let update = OptimisticUpdate(change)
        update.touch(query)
        update.subject = query
        return try await perform(update, tags, confirming) { update throws(NetworkError) in
            try await self.send(endpoint.ifMatch(query.versionCondition), by: update)
        }
    }
}

// One mutation.
extension QueryStore {
    /// Applies a mutation, sends it when it is its turn, and keeps or undoes its effect.
    func perform<Output: Sendable>(
        _ update: OptimisticUpdate, _ tags: Set<String>, _ confirming: @MainActor (QueryChanges, Output) -> Void,
        _ send: (OptimisticUpdate) async throws(NetworkError) -> Response<Output>
    ) async throws(NetworkError) -> Output {
        updates.append(update)
        replay()
        do throws(NetworkError) {
            try await waitForTurn(update)
            update.send()
            let response = try await send(update)
            confirm(update, ConfirmedVersion(response)) { confirming($0, response.value) }
            invalidate(tags: tags)
            return response.value
        } catch {
            await undo(update, error, tags)
            throw error
        }
    }

    /// Sends the request of a mutation.
    func send<Output: Sendable>(
        _ endpoint: Endpoint<Output>, by update: OptimisticUpdate
    ) async throws(NetworkError) -> Response<Output> {
        let outcome: Outcome<Response<Output>> = await SentMutation.$update.withValue(update) { [api] in
            await Outcome.of { try await api.response(for: endpoint) }
        }
        // The server may have accepted the change: the response was lost, or can't be read.
        if case .failure(let error) = outcome, error.mayHaveBeenApplied {
            update.paths.formUnion(api.changedPaths(of: endpoint))
        }
        return try outcome.get()
    }

    /// Returns when no earlier mutation of the same values waits, and none is being sent.
    func waitForTurn(_ update: OptimisticUpdate) async throws(NetworkError) {
        while update.stage != .over, hasEarlier(update), !Task.isCancelled {
            let waiter = settled.add()
            await waiter.value { waiter.resume() }
            settled.remove(waiter)
        }
        if Task.isCancelled || update.stage == .over { throw NetworkError(.cancelled, phase: .middleware) }
    }

    private func hasEarlier(_ update: OptimisticUpdate) -> Bool {
        let place = updates.firstIndex { $0 === update } ?? updates.endIndex
        // A later one may be on its way, if this one was queued in an outbox.
        return updates.enumerated().contains { index, other in
            index != place && (index < place || other.stage == .sending) && other.precedes(update)
        }
    }

    /// Shows the effect of a mutation that waits, before that of another one.
    func insert(_ update: OptimisticUpdate, before next: OptimisticUpdate?) {
        updates.insert(update, at: updates.firstIndex { $0 === next } ?? updates.endIndex)
        replay()
    }

    /// Shows the effects of mutations that wait, after those of the others.
    func insert(_ added: [OptimisticUpdate]) {
        updates += added
        replay()
    }

    /// Undoes the effects of mutations whose outcome doesn't matter any more.
    func withdraw(_ withdrawn: [OptimisticUpdate]) {
        let ids = Set(withdrawn.map(ObjectIdentifier.init))
        let taken = updates.filter { ids.contains(ObjectIdentifier($0)) }
        guard !taken.isEmpty else { return }
        updates.removeAll { ids.contains(ObjectIdentifier($0)) }
        for update in taken { update.end() }
        replay()
        resumeWaiting()
    }

    /// Lets the mutations go on that wait for an earlier one.
    func resumeWaiting() {
        for waiter in settled.takeAll() { waiter.resume() }
    }

    /// Makes the effect of a mutation part of the confirmed values.
    ///
    /// - Parameter version: What the response says of the version; `nil` if the caller keeps it.
    func confirm(
        _ update: OptimisticUpdate, _ version: ConfirmedVersion? = nil, _ confirming: @MainActor (QueryChanges) -> Void
    ) {
        leaveChangedAccount()
        guard updates.contains(where: { $0 === update }) else { return }
        update.apply(to: QueryChanges(self, update, .confirmed(.client)))
        confirming(QueryChanges(self, update, .confirmed(.server)))
        // The account may have changed in the middle of it.
        guard take(update) else { return }
        end(update)
        invalidatePaths(of: update)
        // What was deleted would be loaded in vain.
        for (id, cached) in update.touched where cached.isReloadedAfterMutations && cached.hasValue {
            let isCurrent = version.map { keep($0, in: cached, update) } ?? true
            if !isCurrent || !update.confirmed.contains(id) { invalidate(cached) }
        }
        for (id, cached) in update.touched where update.changed.contains(id) { cached.keepConfirmed() }
    }

    /// Keeps the version that a mutation made of a value. Returns whether the known one is current.
    private func keep(_ version: ConfirmedVersion, in cached: any CachedValue, _ update: OptimisticUpdate) -> Bool {
        guard let cached = cached as? any VersionedValue else { return true }
        // Without a condition, the version may have changes of others, which only the response's value has too.
        let isKnown = update.confirmed.contains(ObjectIdentifier(cached)) || update.subject === cached
        if isKnown, let etag = version.etag, entry(of: cached)?.identity?.url == version.url {
            cached.etag = etag
            return true
        }
        return cached.etag == nil
    }

    /// Undoes the effect of a mutation. After a conflict, returns when the server's values are loaded.
    func undo(_ update: OptimisticUpdate, _ error: NetworkError, _ tags: Set<String>) async {
        let wasSent = update.stage == .sending
        guard take(update) else { return }
        end(update)
        guard wasSent else { return }
        if error.mayHaveBeenApplied {
            // Changes nothing, as the mutation is over: notes which first values that are on their way may lack it.
            update.apply(to: QueryChanges(self, update, .confirmed(.client)))
        }
        invalidatePaths(of: update)
        if error.isConflict {
            let cachedValues = update.touched.values.filter(\.isReloadedAfterMutations)
            for cached in cachedValues {
                cached.invalidate()
                if !cached.isRunning { cached.refetch() }
            }
            for (id, cached) in update.touched where !cached.isReloadedAfterMutations && update.changed.contains(id) {
                invalidate(cached)
            }
            for cached in cachedValues { await cached.loads.wait(for: update) }
        } else if error.mayHaveBeenApplied {
            invalidate(update, tags)
        }
    }

    /// Marks the values of a mutation that the server may have applied as stale.
    func invalidate(_ update: OptimisticUpdate, _ tags: Set<String>) {
        for cached in update.touched.values { invalidate(cached) }
        invalidate(tags: tags)
    }

    /// Removes a mutation whose outcome is known. Returns `false` if the account has changed.
    private func take(_ update: OptimisticUpdate) -> Bool {
        guard let index = updates.firstIndex(where: { $0 === update }) else { return false }
        updates.remove(at: index)
        return true
    }

    private func end(_ update: OptimisticUpdate) {
        update.end()
        replay()
        resumeWaiting()
    }

    private func invalidate(_ cached: any CachedValue) {
        guard let entry = entry(of: cached) else { return cached.invalidate() }
        invalidate(entry)
    }
}

/// What the response of a mutation says of the version that it made.
struct ConfirmedVersion {
    let url: HTTPURL
    let etag: String?

    init<Output>(_ response: Response<Output>) {
        // Of the last request: after a redirect, the tag is that of another resource.
        url = response.request.url
        etag = response.head.fields[.etag]
    }
}

extension NetworkError {
    /// Whether the server refused a change because the value is another one there (409, 412).
    var isConflict: Bool { response?.status.code == 409 || response?.status.code == 412 }

    /// Whether the server may have applied the change anyway.
    var mayHaveBeenApplied: Bool {
        if let status = response?.status { return status.kind == .serverError || status.isSuccessful }
        switch kind {
        case .offline, .invalidURL, .invalidRequest, .encoding, .notCached: return false
        case .transport(.cannotConnect), .transport(.cannotResolveHost), .transport(.cannotResolveProxy): return false
        default: return true
        }
    }
}
