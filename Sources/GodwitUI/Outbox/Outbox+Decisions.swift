public import GodwitCore

// What was refused waits for a decision.
extension Outbox {
    /// Sends a mutation once more that was refused. After a conflict, it replaces the server's version.
    ///
    /// ```swift
    /// try await outbox.retry(item.id)
    /// ```
    ///
    /// Does nothing if the mutation wasn't refused, can't be read, or isn't there any more. Its effect is visible again.
    ///
    /// - Throws: `.file` if the decision can't be written.
    public func retry(_ id: OutboxItem.ID) async throws(NetworkError) {
        guard let entry = entry(id), entry.item.needsDecision, let mutation = entry.item.mutation else { return }
        entry.accept(currentVersion(of: mutation))
        show(entry)
        publish()
        guard let record = entry.record else { return }
        try await folder.write(record, as: entry.name)
        sendDue()
    }

    /// Sends another mutation in the place of one that was refused, such as one that merges both versions.
    ///
    /// ```swift
    /// try await outbox.replace(item.id, with: RenameArticle(id: 42, title: "Tides"))
    /// ```
    ///
    /// It depends on the version of its ``OutboxMutation/subject``, or else on the one that the store has. Does nothing if
    /// the mutation wasn't refused, or isn't there any more.
    ///
    /// - Throws: As ``add(_:)``; the refused mutation stays then.
    public func replace(_ id: OutboxItem.ID, with mutation: some OutboxMutation) async throws(NetworkError) {
        guard let refused = entry(id), refused.item.needsDecision else { return }
        var record = try record(of: mutation)
        // A form may have been filled in with a version that isn't the newest any more.
        record.etag = mutation.subject?.etag ?? currentVersion(of: mutation)
        try await folder.write(record, as: refused.name)
        // Another decision may have come first.
        guard refused.item.needsDecision else { return }
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
        if let layer = entry.layer { queries.withdraw(layer) }
        entry.layer = nil
        remove(entry)
        await folder.remove(entry.name)
        sendDue()
    }

    /// The version of a mutation's subject that the store knows.
    private func currentVersion(of mutation: any OutboxMutation) -> String? {
        mutation.subject.map { $0.query(queries).etag ?? "*" }
    }
}
