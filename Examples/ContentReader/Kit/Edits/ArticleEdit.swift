import Godwit

/// A change that the user made.
nonisolated public struct ArticleEdit: Sendable, Identifiable {
    /// The article as the user saw it.
    public let base: Article

    /// The input.
    public let form: ArticleForm

    /// The version of ``base``, for `If-Match`.
    var etag: String?

    public var id: Int { base.id }

    /// The article as it will be.
    public var expected: Article {
        var article = base
        (article.title, article.body, article.tags) = (form.title, form.body, form.tags)
        return article
    }

    var request: Endpoint<Article> {
        .change(id: id, ArticleChange(from: base, to: form), ifMatch: etag)
    }
}

/// Two versions of an article: the user's, and one that somebody else saved meanwhile.
nonisolated public struct ArticleConflict: Sendable, Identifiable {
    /// The user's version.
    public let mine: ArticleEdit

    /// The server's version.
    public let theirs: Article

    let etag: String?

    public var id: Int { mine.id }

    /// The body of a 412.
    private struct Body: Decodable {
        let current: Article
    }

    /// `nil` if the error is not a conflict.
    init?(_ error: NetworkError, of edit: ArticleEdit, coding: JSONCoding) {
        guard error.kind == .client(status: 412), let data = error.body,
            let body = try? coding.decode(Body.self, from: data)
        else { return nil }
        mine = edit
        theirs = body.current
        etag = error.response?.fields[.etag]
    }

    /// The user's input as a change of the server's version.
    var rebased: ArticleEdit {
        ArticleEdit(base: theirs, form: mine.form, etag: etag)
    }
}
