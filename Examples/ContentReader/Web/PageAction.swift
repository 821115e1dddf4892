import ContentReaderKit
import Godwit

/// What the page asks for.
nonisolated struct PageAction: Decodable, Sendable {
    enum Name: String, Decodable {
        case signIn, signOut
        case loadMore, refresh, retry, search
        case open, close, reload, remove, resolve
        case edit, create, save, discard
        case network
    }

    let action: Name
    var id: Int?
    var text: String?
    var login: Login?
    var form: Form?
    var choice: ArticleScreen.Choice?
    var condition: SimulatedNetwork.Condition?

    struct Form: Decodable, Sendable {
        let title: String
        let body: String
        let tagLine: String
    }
}
