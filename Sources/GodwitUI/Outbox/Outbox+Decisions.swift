public import GodwitCore

// What was refused waits for a decision.
extension Outbox {
    /// Sends a refused mutation again. After a conflict, it replaces the server's version.
    ///
    /// ```swift
    /// try await outbox.retry(item.id)
    /// ```
    ///
    /// Its effect is visible again. Does nothing if the mutation wasn't refused, can't be read, isn't there any more, or if
    /// another decision is being written.
    ///
    /// - Throws: `.file` if the decision can't be written; the mutation stays refused then.
    public func retry(_ id: OutboxItem.ID) async throws(NetworkError) {
        guard let entry = await beginDecision(id) else { return }
        defer { entry.isDeciding = false }
        guard let mutation = entry.item.mutation, let record = entry.record?.accepted(currentVersion(of: mutation))
        else { return }
        try await folder.write(record, as: entry.name)
        guard has(entry) else { return }
        entry.accept(record)
        show(entry)
        publish()
        sendDue()
    }

    /// Sends another mutation in the place of one that was refused, such as one that merges both versions.
    ///
    /// ```swift
    /// try await outbox.replace(item.id, with: RenameArticle(id: 42, title: "Tides"))
    /// ```
    ///
    /// It depends on the version of its ``OutboxMutation/precondition``, or else on the one that the store has. Does nothing if
    /// the mutation wasn't refused, isn't there any more, or if another decision is being written.
    ///
    /// - Throws: As ``add(_:)``; the refused mutation stays then.
    public func replace(_ id: OutboxItem.ID, with mutation: some OutboxMutation) async throws(NetworkError) {
        guard let refused = await beginDecision(id) else { return }
        defer { refused.isDeciding = false }
        var record = try record(of: mutation)
        // A form may have been filled in with a version that isn't the newest any more.
        record.etag = mutation.precondition?.etag.map(OutboxRecord.condition) ?? currentVersion(of: mutation)
        try await folder.write(record, as: refused.name)
        guard has(refused) else { return }
        let entry = OutboxEntry(mutation, record, as: refused.name)
        entry.isStored = true
        replace(refused, by: entry)
        show(entry)
        sendDue()
    }

    /// Removes a mutation that isn't being sent, with its effect.
    ///
    /// ```swift
    /// await outbox.discard(item.id)
    /// ```
    public func discard(_ id: OutboxItem.ID) async {
        guard let entry = entry(id), entry.item.state != .sending else { return }
        if let update = entry.update {
            queries.withdraw([update])
            // A response was lost: the server may have applied it.
            if entry.mayBeApplied { queries.invalidate(update, entry.item.mutation?.tags ?? []) }
        }
        entry.update = nil
        remove(entry)
        await folder.remove(entry.name)
        sendDue()
    }

    /// Marks a refused mutation, so that a second decision does nothing while the first one is written.
    private func beginDecision(_ id: OutboxItem.ID) async -> OutboxEntry? {
        guard let entry = entry(id), entry.item.needsDecision, !entry.isDeciding else { return nil }
        entry.isDeciding = true
        // Its refusal may be being written.
        await running[entry.name]?.value
        guard has(entry) else { return nil }
        return entry
    }

    /// The version of a mutation's subject that the store knows, as a condition.
    private func currentVersion(of mutation: any OutboxMutation) -> String? {
        mutation.precondition.map { OutboxRecord.condition($0.query(queries).etag) }
    }
}
