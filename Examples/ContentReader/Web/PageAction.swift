import ContentReaderKit
import Godwit

/// What the page asks for.
nonisolated struct PageAction: Decodable, Sendable {
    enum Name: String, Decodable {
        case signIn, signOut
        case loadMore, refresh, retry, search
        case open, close, reload, remove, moreComments
        case edit, create, input, save, cancel
        case resend, discard
        case confirm, stay
        case network, listen, focus
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
    var isVisible: Bool?

    struct Form: Decodable, Sendable {
        let title: String
        let body: String
        let tagLine: String
        /// Of the form that the page shows; see ``EditorPart/number``. `nil` for the open one.
        var number: Int?
    }
}
