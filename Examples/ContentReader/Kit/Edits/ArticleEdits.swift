public import Godwit
public import Observation

/// The user's changes to articles: shown at once, kept and sent in order when there is a network again, and undone if the
/// server refuses them.
@Observable @MainActor
public final class ArticleEdits {
    /// The changes that wait for a network, oldest first.
    public private(set) var waiting: [ArticleEdit] = []

    /// The changes that conflict with somebody else's.
    public private(set) var conflicts: [ArticleConflict] = []

    /// The articles as the user's changes made them.
    private var changed: [Int: Article] = [:]
    private var removed: Set<Int> = []

    @ObservationIgnored private let api: APIClient
    @ObservationIgnored private let monitor: any PathMonitor
    @ObservationIgnored private var watch: Task<Void, Never>?

    /// - Parameter monitor: Reports when there is a network again.
    public init(_ api: APIClient, monitor: any PathMonitor = SystemPathMonitor.shared) {
        (self.api, self.monitor) = (api, monitor)
        watch = Task { [weak self, paths = monitor.paths] in
            for await path in paths where path.status == .satisfied { await self?.sendWaiting() }
        }
    }

    deinit {
        watch?.cancel()
    }

    /// The articles with the user's changes.
    public func applied(to articles: [Article]) -> [Article] {
        guard !changed.isEmpty || !removed.isEmpty else { return articles }
        return articles.compactMap { removed.contains($0.id) ? nil : changed[$0.id] ?? $0 }
    }

    /// An article with the user's changes.
    public func applied(to article: Article) -> Article {
        changed[article.id] ?? article
    }

    /// Shows a change and sends it; without a network, keeps it until there is one.
    ///
    /// - Returns: The article as the server stored it, or as it will be.
    /// - Throws: The error of the request. A 412 also adds to ``conflicts``.
    public func save(_ edit: ArticleEdit) async throws(NetworkError) -> Article {
        guard monitor.current.status == .satisfied else { return keep(edit) }
        let before = changed[edit.id]
        changed[edit.id] = edit.expected
        do throws(NetworkError) {
            let saved = try await send(edit)
            changed[edit.id] = saved
            return saved
        } catch {
            if case .offline = error.kind { return keep(edit) }
            changed[edit.id] = before
            throw error
        }
    }

    /// Removes an article from all lists at once, and puts it back if the server refuses.
    public func remove(_ id: Int) async throws(NetworkError) {
        removed.insert(id)
        do throws(NetworkError) {
            try await api.send(.delete(id: id))
        } catch {
            removed.remove(id)
            throw error
        }
    }

    /// Resolves a conflict with the server's version.
    public func keepTheirs(_ conflict: ArticleConflict) {
        drop(conflict)
        changed[conflict.id] = conflict.theirs
    }

    /// Resolves a conflict with the user's version.
    public func keepMine(_ conflict: ArticleConflict) async throws(NetworkError) -> Article {
        drop(conflict)
        return try await save(conflict.rebased)
    }

    /// Forgets all changes, for example when the user signs out.
    public func removeAll() {
        (waiting, conflicts, changed, removed) = ([], [], [:], [])
    }
}

extension ArticleEdits {
    private func keep(_ edit: ArticleEdit) -> Article {
        changed[edit.id] = edit.expected
        waiting.append(edit)
        return edit.expected
    }

    private func drop(_ conflict: ArticleConflict) {
        conflicts.removeAll { $0.id == conflict.id }
    }

    /// Sends what waits, until one can't be sent.
    private func sendWaiting() async {
        while let edit = waiting.first, monitor.current.status == .satisfied {
            do throws(NetworkError) {
                changed[edit.id] = try await send(edit)
            } catch {
                if case .offline = error.kind { return }
                changed[edit.id] = nil
            }
            if !waiting.isEmpty { waiting.removeFirst() }
        }
    }

    private func send(_ edit: ArticleEdit) async throws(NetworkError) -> Article {
        do throws(NetworkError) {
            let response = try await api.response(for: edit.request)
            // A later change of the same article was made to this version.
            for index in waiting.indices where waiting[index].id == edit.id {
                waiting[index].etag = response.head.fields[.etag]
            }
            return response.value
        } catch {
            if let conflict = ArticleConflict(error, of: edit, coding: api.configuration.json) {
                drop(conflict)
                conflicts.append(conflict)
            }
            throw error
        }
    }
}
