import ContentReaderKit
import Godwit

/// What the page asks for.
nonisolated struct PageAction: Decodable, Sendable {
    enum Name: String, Decodable {
        case signIn, signOut
        case loadMore, refresh, retry, search
        case open, close, reload, remove
        case edit, create, save, cancel
        case resend, discard
        case network
    }

    let action: Name
    /// The article to open.
    var id: Int?
    /// The change to send again, or to give up.
    var change: String?
    var text: String?
    var login: Login?
    var form: Form?
    var condition: SimulatedNetwork.Condition?

    struct Form: Decodable, Sendable {
        let title: String
        let body: String
        let tagLine: String
    }
}
