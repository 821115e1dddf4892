import Godwit
import GodwitUI

/// Creates one article, also if the response to an attempt is lost.
@MainActor
final class ArticleCreation {
    private weak var reader: Reader?
    /// The attempt that the server may have processed, and its `Idempotency-Key`.
    private var attempt: (form: ArticleForm, key: String)?

    init(_ reader: Reader) {
        self.reader = reader
    }

    /// Returns the ID of the article.
    ///
    /// After a lost response the same request is sent again, which the server recognizes by its key. What was written
    /// since then follows as a change.
    func save(_ form: ArticleForm) async throws -> Article.ID {
        guard let reader else { throw CancellationError() }
        if reader.account.user.value == nil { await reader.account.user.load() }
        guard let author = reader.account.user.value?.id else {
            throw reader.account.user.error ?? NetworkError(.unauthorized, phase: .building)
        }
        let attempt = attempt ?? (form, UUID().uuidString)
        self.attempt = attempt
        let article = try await create(attempt.form, author, attempt.key, reader)
        if !form.edit(of: article).isEmpty {
            try await reader.openOutbox().add(EditArticle(article, form))
        }
        return article.id
    }

    private func create(
        _ form: ArticleForm, _ author: User.ID, _ key: String, _ reader: Reader
    ) async throws(NetworkError) -> Article {
        let draft = ArticleDraft(title: form.title, body: form.body, tags: form.tags, authorId: author)
        do throws(NetworkError) {
            return try await reader.queries.mutate(.create(draft).idempotencyKey(key)) { [list = reader.list.list] in
                $0.insert($1, in: list)
            }
        } catch {
            // Refused: the server has processed nothing, so the next attempt may have another content.
            if let status = error.response?.status.code, 400..<500 ~= status { attempt = nil }
            throw error
        }
    }
}
