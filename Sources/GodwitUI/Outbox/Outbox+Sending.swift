import GodwitCore

extension Outbox {
    /// Sends the mutations that wait, without the rest of their pauses. Returns when each was tried.
    ///
    /// ```swift
    /// await outbox.sendNow()                   // for example in a background task, before the app is suspended
    /// ```
    public func sendNow() async {
        sendWithoutPause()
        while !running.isEmpty, !Task.isCancelled {
            let waiter = idle.add()
            await waiter.value { waiter.resume() }
            idle.remove(waiter)
        }
    }

    private func sendWithoutPause() {
        for entry in entries { entry.pausedUntil = nil }
        sendDue()
    }

    /// Starts to send what can be sent now.
    func sendDue() {
        guard !isClosed else { return }
        if running.isEmpty { watch?.begin() }
        for entry in due.prefix(max(0, Self.concurrency - running.count)) {
            running[entry.name] = Task { await self.attempt(entry) }
        }
        rest()
    }

    /// The first ones of each order that may be sent.
    private var due: [OutboxEntry] {
        var orders: Set<String> = []
        let now = queries.timeline.now
        return entries.filter { entry in
            guard let order = entry.order, orders.insert(order).inserted else { return false }
            return entry.isWaiting && entry.isStored && running[entry.name] == nil && (entry.pausedUntil ?? now) <= now
        }
    }

    /// If nothing is being sent, waits for the end of a pause, or for a network.
    private func rest() {
        wake?.cancel()
        guard running.isEmpty else { return }
        for waiter in idle.takeAll() { waiter.resume() }
        guard let next = entries.filter(\.isWaiting).compactMap(\.pausedUntil).min() else { return }
        watch?.wait { [weak self] in self?.sendWithoutPause() }
        wake = Task { [weak self, timeline = queries.timeline] in
            guard (try? await timeline.sleep(for: next - timeline.now)) != nil else { return }
            self?.sendDue()
        }
    }

    private func attempt(_ entry: OutboxEntry) async {
        if let mutation = entry.item.mutation { await send(mutation, entry) }
        running[entry.name] = nil
        publish()
        sendDue()
    }
}

// One attempt.
extension Outbox {
    private func send<M: OutboxMutation>(_ mutation: M, _ entry: OutboxEntry) async {
        guard let record = entry.record, let layer = entry.layer else { return }
        let subject = mutation.subject?.query(queries)
        if let subject { layer.touch(subject) }
        entry.begin()
        publish()
        layer.wait()
        do throws(NetworkError) {
            try await queries.waitForTurn(layer)
            layer.send()
            let response = try await queries.send(Self.endpoint(of: mutation, record), by: layer)
            let etag = response.head.fields[.etag]
            queries.confirm(layer) { mutation.confirm(response.value, in: $0) }
            if let etag { subject?.etag = etag }
            await finish(entry, mutation.tags, etag)
        } catch {
            await handle(error, of: mutation, entry, layer)
        }
    }

    private static func endpoint<M: OutboxMutation>(of mutation: M, _ record: OutboxRecord) -> Endpoint<M.Output> {
        let endpoint = mutation.endpoint.idempotencyKey(record.key)
        return record.etag.map { endpoint.ifMatch($0) } ?? endpoint
    }

    /// Handles the end of an attempt without a value.
    private func handle(
        _ error: NetworkError, of mutation: some OutboxMutation, _ entry: OutboxEntry, _ layer: MutationLayer
    ) async {
        // Closed: the next outbox sends it again.
        guard entries.contains(where: { $0 === entry }) else { return }
        if error.isAccepted(mutation.endpoint.method) {
            queries.confirm(layer) { _ in }
            await finish(entry, mutation.tags, error.response?.fields[.etag])
        } else if error.mayPassByItself {
            entry.wait(error, until: queries.timeline.now + Self.pause(after: entry.item.attempts, error))
            layer.queue()
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
        entry.layer = nil
        let subject = entry.item.mutation?.subject?.query(queries)
        remove(entry)
        if let subject {
            // Their version is the one that this mutation made.
            for follower in entries where follower.name > entry.name && expects(follower, subject) {
                follower.expect(etag ?? "*")
                await save(follower)
            }
        }
        // Last: if the process ends before, this one is sent again, and the server answers as it did before.
        await folder.remove(entry.name)
    }

    /// Writes the file of an entry again. If that fails, the next outbox has an older state, which is tried again.
    func save(_ entry: OutboxEntry) async {
        guard let record = entry.record, entries.contains(where: { $0 === entry }) else { return }
        try? await folder.write(record, as: entry.name)
    }

    /// From 2 seconds to 5 minutes, or as long as the server says, up to an hour.
    private static func pause(after attempts: Int, _ error: NetworkError) -> Duration {
        let pause = Duration.seconds(min(300, 1 << min(attempts, 9)))
        return max(pause, min(error.suggestedRetryDelay ?? .zero, .seconds(3600)))
    }
}

extension NetworkError {
    /// Whether the server has applied the change, though without a value to show for it.
    fileprivate func isAccepted(_ method: HTTPMethod) -> Bool {
        if case .unexpectedContentType = kind { return false }
        guard let status = response?.status else { return false }
        // What is to be deleted is gone, perhaps by an attempt whose response was lost.
        return status.isSuccessful || method == .delete && (status.code == 404 || status.code == 410)
    }

    /// Whether the same request may be accepted later, without anybody's decision.
    fileprivate var mayPassByItself: Bool {
        if isRetryable { return true }
        switch kind {
        case .server, .shutdown: return true
        // A captive portal, for example.
        case .transport, .insecure, .invalidResponse, .cancelled: return response == nil
        default: return false
        }
    }
}
