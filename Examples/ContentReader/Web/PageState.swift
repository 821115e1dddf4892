import ContentReaderKit
import Godwit
import GodwitUI

// What the page shows, in parts that change separately.

struct AccountPart: Encodable {
    let isSignedIn: Bool?
    let isSigningIn: Bool
    let name: String?
    let message: String?
    let upload: UploadPart

    struct UploadPart: Encodable {
        let isRunning: Bool
        let fraction: Double?
        let bytes: Int64?
        let error: String?
    }

    @MainActor init(_ account: AccountScreen) {
        isSignedIn = account.isSignedIn
        isSigningIn = account.signingIn.isRunning
        name = account.user.value?.name
        message = account.message
        let avatar = account.avatar
        upload = UploadPart(
            isRunning: avatar.isRunning, fraction: avatar.progress?.fraction,
            bytes: avatar.state.isLoaded ? avatar.state.value?.bytes : nil, error: avatar.error?.userMessage)
    }
}

struct NetworkPart: Encodable {
    let isOnline: Bool
    let condition: SimulatedNetwork.Condition

    @MainActor init(_ model: ReaderPageModel) {
        isOnline = model.reader.connectivity.isOnline
        condition = model.network.condition
    }
}

/// The user's changes that the server hasn't confirmed.
struct ChangesPart: Encodable {
    let items: [ChangePart]
    /// Why one couldn't be kept.
    let failure: String?

    @MainActor init(_ reader: Reader) {
        items = reader.changes.map(ChangePart.init)
        failure = reader.failure?.userMessage
    }
}

struct ChangePart: Encodable {
    let id: String
    let article: Int?
    /// The title that the user knows.
    let title: String
    /// As in ``OutboxItem/State``.
    let state: String
    let error: String?

    init(_ item: OutboxItem) {
        (id, article, state, error) = (item.id, item.articleID, "\(item.state)", item.error?.userMessage)
        title =
            switch item.mutation {
            case let edit as EditArticle: edit.form.title
            case let deletion as DeleteArticle: "Deletion of article \(deletion.id)"
            default: "A change that can't be read"
            }
    }
}

struct NewsPart: Encodable {
    let state: String
    let items: [ArticleNews]

    @MainActor init(_ news: LiveFeed<ArticleNews>) {
        items = news.elements.reversed()
        state =
            switch news.state {
            case .idle: "idle"
            case .connecting: "connecting"
            case .open: "open"
            case .waiting: "waiting"
            case .ended: "ended"
            }
    }
}

struct ArticlePart: Encodable {
    struct Comment: Encodable {
        let id: Int
        let text: String
    }

    struct Conflict: Encodable {
        let mine: Version
        let theirs: Version
    }

    let id: Int
    let isLoading: Bool
    let isStale: Bool
    let error: String?
    let version: Version?
    let author: String?
    let comments: [Comment]
    /// The change that was refused, or else the next one to be sent.
    let change: ChangePart?
    let conflict: Conflict?

    @MainActor init(_ screen: ArticleScreen) {
        id = screen.id
        isLoading = screen.article.isLoading
        isStale = screen.article.isStale
        error = screen.article.error?.userMessage
        version = screen.article.value.map(Version.init)
        author = screen.author.value?.name
        comments = screen.comments.value?.map { Comment(id: $0.id, text: $0.text) } ?? []
        change = (screen.refused ?? screen.changes.first).map(ChangePart.init)
        conflict = screen.conflict.map { Conflict(mine: Version($0.mine), theirs: Version($0.theirs)) }
    }
}

/// The content of an article.
struct Version: Encodable {
    let title: String
    let body: String
    let tags: [String]

    init(_ article: Article) {
        (title, body, tags) = (article.title, article.body, article.tags)
    }
}

struct EditorPart: Encodable {
    let number: Int
    let title: String
    let body: String
    let tagLine: String
    let isSaving: Bool
    let faults: [String: [String]]
    let message: String?
    let isNew: Bool
    /// The version that the form is merged with.
    let theirs: Version?

    @MainActor init(_ editor: EditorScreen, number: Int) {
        self.number = number
        (title, body, tagLine) = (editor.form.title, editor.form.body, editor.form.tagLine)
        isSaving = editor.saving.isRunning
        faults = Dictionary(uniqueKeysWithValues: ["title", "body", "tags"].map { ($0, editor.faults(of: $0)) })
        message = editor.message
        isNew = editor.article == nil
        theirs = editor.isMerging ? editor.article.map(Version.init) : nil
    }
}
