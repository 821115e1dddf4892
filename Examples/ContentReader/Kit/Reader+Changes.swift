public import Godwit
public import GodwitUI

// The outbox.
extension Reader {
    var isOutboxOpen: Bool { outbox?.isClosed == false }

    /// The user's outbox, opened if necessary. Without a network, the user is the one of the last launch.
    ///
    /// - Throws: Why the user can't be loaded, or `.file` if the outbox can't be opened.
    @discardableResult
    public func openOutbox() async throws(NetworkError) -> Outbox {
        if account.user.value == nil { await account.user.load() }
        do throws(NetworkError) {
            let outbox = try openedOutbox()
            if self.outbox !== outbox { (self.outbox, failure) = (outbox, nil) }
            return outbox
        } catch {
            if account.isSignedIn == true, error.kind != .cancelled { failure = error }
            throw error
        }
    }

    private func openedOutbox() throws(NetworkError) -> Outbox {
        if let outbox, !outbox.isClosed { return outbox }
        guard account.isSignedIn == true, let user = account.user.value else {
            throw account.user.error ?? NetworkError(.unauthorized, phase: .building)
        }
        return try Outbox(
            queries, in: outboxFolder, for: "\(user.id)", sending: [EditArticle.self, DeleteArticle.self])
    }
}

// The user's changes.
extension Reader {
    /// The changes that the server hasn't confirmed, oldest first.
    public var changes: [OutboxItem] { outbox?.items ?? [] }

    /// Those of an article.
    public func changes(of id: Article.ID) -> [OutboxItem] { changes.filter { $0.articleID == id } }

    /// Removes an article, in place of its changes that were refused.
    ///
    /// - Returns: Whether the removal is kept. Otherwise ``failure`` has the reason.
    @discardableResult
    public func remove(_ id: Article.ID) async -> Bool {
        await change { outbox throws(NetworkError) in
            let refused = outbox.items.filter { $0.articleID == id && $0.needsDecision }
            let isRemoved = outbox.items.contains { $0.articleID == id && !$0.needsDecision && $0.isDeletion }
            if !isRemoved { try await outbox.add(DeleteArticle(id: id)) }
            // They would hold up the removal.
            for change in refused { await outbox.discard(change.id) }
        }
    }

    /// Sends a refused change again. After a conflict, the user's version replaces the server's.
    @discardableResult
    public func retry(_ change: OutboxItem.ID) async -> Bool {
        await self.change { outbox throws(NetworkError) in try await outbox.retry(change) }
    }

    /// Gives up a change. After a conflict, the server's version stays.
    @discardableResult
    public func discard(_ change: OutboxItem.ID) async -> Bool {
        let id = changes.first { $0.id == change }?.articleID
        return await self.change { [self] outbox in
            await outbox.discard(change)
            if let id { showInList(id) }
        }
    }

    private func change(_ work: @MainActor (Outbox) async throws(NetworkError) -> Void) async -> Bool {
        failure = nil
        do throws(NetworkError) {
            try await work(openOutbox())
            return true
        } catch {
            failure = error
            return false
        }
    }
}

// Conflicts of the user's version with itself: the response to an earlier attempt was lost.
extension Reader {
    /// The conflicts whose change is in the server's version already.
    var settledConflicts: [OutboxItem.ID] {
        changes.filter { change in
            guard change.state == .conflict, let edit = change.mutation as? EditArticle,
                let theirs = queries.value(of: .article(id: edit.id))
            else { return false }
            return edit.merged(with: theirs) == theirs
        }.map(\.id)
    }

    /// Gives up conflicts whose change the server has, as it confirms.
    func discard(settled: [OutboxItem.ID]) async {
        for id in settled {
            guard let edit = changes.first(where: { $0.id == id })?.mutation as? EditArticle else { continue }
            // Asked again: the store may show the change before the server has it.
            guard let theirs = try? await queries.api.send(.article(id: edit.id)),
                edit.merged(with: theirs) == theirs
            else { continue }
            await discard(id)
        }
    }
}
