import GodwitCore
import GodwitSupport

extension Outbox {
    /// Sends the mutations that wait, without the rest of their pauses. Returns when each was tried.
    ///
    /// ```swift
    /// await outbox.sendNow()                   // for example in a background task, before the app is suspended
    /// ```
    public func sendNow() async {
        for entry in entries { entry.pausedUntil = nil }
        sendDue()
        while !running.isEmpty, !Task.isCancelled {
            let waiter = idle.add()
            await waiter.value { waiter.resume() }
            idle.remove(waiter)
        }
    }

    /// Sends what waits, as another network may help, except what the server asked to send later.
    func networkReturned() {
        for entry in entries where !entry.isPausedByServer { entry.pausedUntil = nil }
        sendDue()
    }

    /// Starts to send what can be sent now.
    func sendDue() {
        guard !isClosed else { return }
        for entry in due.prefix(max(0, Self.concurrency - running.count)) {
            running[entry.name] = Task { await self.attempt(entry) }
        }
        wakeAfterPause()
    }

    /// The first ones of each scope that may be sent.
    private var due: [OutboxEntry] {
        var scopes: Set<String> = []
        let now = queries.timeline.now
        return entries.filter { entry in
            guard let scope = entry.scope, scopes.insert(scope).inserted else { return false }
            return entry.isWaiting && entry.isStored && running[entry.name] == nil && (entry.pausedUntil ?? now) <= now
        }
    }

    /// Waits for the end of the next pause. What is due and doesn't run starts when another one has ended.
    private func wakeAfterPause() {
        let now = queries.timeline.now
        let next = entries.filter(\.isWaiting).compactMap(\.pausedUntil).filter { $0 > now }.min()
        guard next != wakeTime || wake == nil else { return }
        wake?.cancel()
        wake = nil
        wakeTime = next
        guard let next else { return }
        wake = Task { [weak self, timeline = queries.timeline] in
            guard (try? await timeline.sleep(for: next - timeline.now)) != nil else { return }
            self?.wake = nil
            self?.sendDue()
        }
    }

    private func attempt(_ entry: OutboxEntry) async {
        if let mutation = entry.item.mutation { await send(mutation, entry) }
        running[entry.name] = nil
        publish()
        sendDue()
        guard running.isEmpty else { return }
        for waiter in idle.takeAll() { waiter.resume() }
    }
}

// One attempt.
extension Outbox {
    private func send<M: OutboxMutation>(_ mutation: M, _ entry: OutboxEntry) async {
        guard let record = entry.record, let update = entry.update else { return }
        let subject = mutation.precondition?.query(queries)
        if let subject { update.touch(subject) }
        entry.begin()
        publish()
        update.wait()
        do throws(NetworkError) {
            try await queries.waitForTurn(update)
            if entry.record?.etag == OutboxRecord.unknownVersion, let subject {
                entry.expect(try await Self.loadVersion(of: subject, for: update))
            }
            update.isRepeated = entry.mayBeApplied
            update.send()
            let response = try await queries.send(
                Self.endpoint(of: mutation, entry.record ?? record), by: update)
            let etag = response.head.fields[.etag]
            queries.confirm(update) { mutation.confirm(response.value, in: $0) }
            // A response that is repeated may be older than what is known.
            if let etag, !update.isRepeated { subject?.etag = etag }
            await finish(entry, mutation.tags, etag)
        } catch {
            await handle(error, of: mutation, entry, update)
        }
    }

    /// Loads the version that an earlier mutation has made, whose response didn't tell.
    private static func loadVersion(
        of subject: any VersionedValue, for update: OptimisticUpdate
    ) async throws(NetworkError) -> String {
        subject.invalidate()
        if !subject.isRunning { subject.refetch() }
        await subject.loads.wait(for: update)
        if Task.isCancelled || update.stage == .over { throw NetworkError(.cancelled, phase: .middleware) }
        if let error = subject.loadError { throw error }
        return OutboxRecord.condition(subject.etag)
    }

    private static func endpoint<M: OutboxMutation>(of mutation: M, _ record: OutboxRecord) -> Endpoint<M.Output> {
        let endpoint = mutation.endpoint.idempotencyKey(record.key)
        return record.etag.map { endpoint.ifMatch($0) } ?? endpoint
    }

    /// Handles the end of an attempt without a value.
    private func handle(
        _ error: NetworkError, of mutation: some OutboxMutation, _ entry: OutboxEntry, _ update: OptimisticUpdate
    ) async {
        // Closed: the next outbox sends it again.
        guard has(entry) else { return }
        if error.isAccepted(mutation.endpoint.method) {
            queries.confirm(update) { _ in }
            await finish(entry, mutation.tags, error.response?.fields[.etag])
        } else if error.mayPassByItself {
            entry.wait(error, until: queries.timeline.now + Self.pause(after: entry.item.attempts, error))
            update.queue()
            queries.resumeWaiting()
        } else {
            entry.refuse(error)
            // Published afterwards: a conflict is shown with the server's version.
            await undo(entry, error)
            await save(entry)
        }
    }

    /// The server has applied a mutation.
    private func finish(_ entry: OutboxEntry, _ tags: Set<String>, _ etag: String?) async {
        queries.invalidate(tags: tags)
        entry.update = nil
        let subject = entry.subject(queries.api)
        remove(entry)
        // Their version is the one that this mutation made.
        let followers = entries.filter { $0.name > entry.name && expects($0, subject) }
        let version = OutboxRecord.condition(etag)
        for follower in followers { follower.expect(version == "*" ? OutboxRecord.unknownVersion : version) }
        for follower in followers { await save(follower) }
        // Last: if the process ends before, this one is sent again, and the server answers as it did before.
        await folder.remove(entry.name)
    }

    /// Writes the file of an entry again. If that fails, the next outbox has an older state, which is tried again.
    func save(_ entry: OutboxEntry) async {
        guard let record = entry.record, has(entry) else { return }
        try? await folder.write(record, as: entry.name)
    }

    /// From 2 seconds to 5 minutes, or as long as the server says, up to an hour.
    private static func pause(after attempts: Int, _ error: NetworkError) -> Duration {
        let own = Backoff(base: .seconds(2), cap: .seconds(300)).ceiling(afterFailure: attempts)
        return RetryPause(own, asked: error.suggestedRetryDelay, longest: RetryPause.longestInBackground).duration
    }
}
