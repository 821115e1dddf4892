import ContentReaderKit
import Godwit
import GodwitUI

// What the page shows, in parts that change separately.

struct AccountPart: Encodable {
    let isSignedIn: Bool
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
    /// The number of changes that wait for a network.
    let waiting: Int

    @MainActor init(_ model: ReaderPageModel) {
        isOnline = model.reader.connectivity.isOnline
        condition = model.network.condition
        waiting = model.reader.edits.waiting.count
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
    let error: String?
    let version: Version?
    let author: String?
    let comments: [Comment]
    let isWaiting: Bool
    let conflict: Conflict?
    let isRemoving: Bool
    let isRemoved: Bool
    let removalError: String?

    @MainActor init(_ screen: ArticleScreen) {
        id = screen.id
        isLoading = screen.reading.isLoading
        error = screen.reading.error?.userMessage
        version = screen.article.map(Version.init)
        author = screen.reading.value?.author.name
        comments = screen.reading.value?.comments.map { Comment(id: $0.id, text: $0.text) } ?? []
        isWaiting = screen.isWaiting
        conflict = screen.conflict.map {
            Conflict(mine: Version($0.mine.expected), theirs: Version($0.theirs))
        }
        isRemoving = screen.removal.isRunning
        isRemoved = screen.isRemoved
        removalError = screen.removal.error?.userMessage
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
    let isNew: Bool
    let title: String
    let body: String
    let tagLine: String
    let isSaving: Bool
    let faults: [String: [String]]
    let message: String?
    let hasConflict: Bool

    @MainActor init(_ editor: EditorScreen, number: Int) {
        self.number = number
        isNew = editor.article == nil
        (title, body, tagLine) = (editor.form.title, editor.form.body, editor.form.tagLine)
        isSaving = editor.saving.isRunning
        faults = Dictionary(uniqueKeysWithValues: ["title", "body", "tags"].map { ($0, editor.faults(of: $0)) })
        message = editor.message
        hasConflict = editor.conflict != nil
    }
}
