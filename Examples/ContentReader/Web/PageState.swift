import ContentReaderKit
import Godwit
import GodwitUI

// What the page shows, in parts that change separately.

struct AccountPart: Encodable {
    let isSignedIn: Bool?
    let isSigningIn: Bool
    let isSigningOut: Bool
    /// Whether the server ended the session.
    let hasEnded: Bool
    let name: String?
    /// Why the sign-in, the sign-out, or reading the token failed.
    let message: String?
    let upload: UploadPart

    struct UploadPart: Encodable {
        let isRunning: Bool
        let fraction: Double?
        let bytes: Int64?
        let error: String?
    }

    @MainActor init(_ reader: Reader) {
        let account = reader.account
        isSignedIn = account.isSignedIn
        isSigningIn = account.signingIn.isRunning
        isSigningOut = account.signingOut.isRunning
        hasEnded = account.ending != nil
        name = account.user.value?.name
        message = Self.message(reader)
        let avatar = account.avatar
        upload = UploadPart(
            isRunning: avatar?.isRunning ?? false, fraction: avatar?.progress?.fraction,
            bytes: avatar?.state.isLoaded == true ? avatar?.state.value?.bytes : nil,
            error: avatar?.error?.userMessage)
    }

    @MainActor private static func message(_ reader: Reader) -> String? {
        let account = reader.account
        if account.isSignedIn == nil { return reader.failure?.userMessage }
        let faults = account.faults.map { "The \($0.field) \($0.messages.joined(separator: ", "))." }
        if !faults.isEmpty { return faults.joined(separator: " ") }
        return (account.signingIn.error ?? account.signingOut.error)?.userMessage
    }
}

/// What the user has to confirm.
struct QuestionPart: Encodable {
    /// `form`, or `changes`.
    let about: String
    /// How many changes would be lost.
    let count: Int?

    init(_ question: ReaderPageModel.Question) {
        switch question {
        case .form: (about, count) = ("form", nil)
        case .changes(let number): (about, count) = ("changes", number)
        }
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
    let isDeletion: Bool

    init(_ item: OutboxItem) {
        (id, article, state, error) = (item.id, item.articleID, "\(item.state)", item.error?.userMessage)
        isDeletion = item.isDeletion
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
    /// Why the feed has ended.
    let error: String?

    @MainActor init(_ news: LiveFeed<ArticleNews>) {
        items = news.elements.reversed()
        error = if case .ended(let error) = news.state { error?.userMessage } else { nil }
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
    struct Comments: Encodable {
        let items: [Comment]
        let isLoading: Bool
        let hasMore: Bool
        let error: String?
    }

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
    /// Whether the version is known, so that it can be changed.
    let canEdit: Bool
    let author: String?
    let comments: Comments
    /// The change that was refused, or else the next one to be sent.
    let change: ChangePart?
    let conflict: Conflict?
    let isRemoved: Bool

    @MainActor init(_ screen: ArticleScreen) {
        id = screen.id
        isLoading = screen.article.isLoading
        isStale = screen.article.isStale
        error = screen.article.error?.userMessage
        version = screen.shown.map(Version.init)
        canEdit = screen.canEdit
        author = screen.author.value?.name
        let list = screen.comments
        comments = Comments(
            items: list.items.map { Comment(id: $0.id, text: $0.text) }, isLoading: list.isLoading,
            hasMore: list.hasMore, error: list.error?.userMessage)
        change = (screen.removal ?? screen.refused ?? screen.changes.first).map(ChangePart.init)
        isRemoved = screen.removal != nil
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
    /// The required fields that are empty.
    let missing: [String]
    let message: String?
    let isNew: Bool
    /// The version that the form is merged with.
    let theirs: Version?

    @MainActor init(_ editor: EditorScreen, number: Int) {
        self.number = number
        (title, body, tagLine) = (editor.form.title, editor.form.body, editor.form.tagLine)
        isSaving = editor.saving.isRunning
        faults = Dictionary(
            uniqueKeysWithValues: ArticleForm.Field.allCases.map { ($0.rawValue, editor.faults(of: $0)) })
        missing = editor.missing.map(\.rawValue)
        let others = editor.otherFaults.map { "\($0.field) \($0.messages.joined(separator: ", "))" }
        message = others.isEmpty ? editor.message : others.joined(separator: ". ")
        isNew = editor.article == nil
        theirs = editor.isMerging ? editor.article.map(Version.init) : nil
    }
}
