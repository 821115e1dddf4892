/// What the path of an operation names: a collection, one of its items, or something that is done with it.
struct SampleRoute: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// `/articles`
        case collection
        /// `/articles/{id}`, `/users/me`
        case item
        /// `/articles/popular`, with the word.
        case view(String)
        /// `/articles/{id}/publish`, `/auth/login`, with the word.
        case action(String)
        /// `/profile`, `/articles/{id}/author`
        case single
        /// `/`
        case root
    }

    var kind: Kind
    /// The words of the resource in the singular: `order`, `item`.
    var noun: [String]
    /// Those of the path's last name.
    var name: [String]
    /// Those of the resource that contains this one, in the singular; empty if there is none.
    var parent: [String]
    /// The path of the collection: resources of different collections can be different types.
    var scope: String

    /// Words after a collection that select from it or sum it up.
    static let views: Set<String> = [
        "popular", "recent", "latest", "featured", "trending", "top", "new", "all", "archived", "active", "upcoming",
        "nearby", "recommended", "random", "stats", "count", "summary", "list", "feed", "history", "today",
    ]
    /// Words in place of the identifier of the caller.
    static let owners: Set<String> = ["me", "self", "current"]
    /// Words that say what is done with the resource before them.
    static let verbs: Set<String> = [
        "login", "signin", "logout", "signout", "register", "signup", "refresh", "revoke", "search", "verify",
        "confirm", "reset", "forgot", "upload", "import", "export", "subscribe", "unsubscribe", "validate", "check",
        "publish", "unpublish", "archive", "approve", "reject", "cancel", "complete", "duplicate", "restore", "lookup",
        "query", "like", "unlike", "favorite", "unfavorite", "star", "follow", "unfollow", "block", "unblock", "mute",
        "invite", "accept", "decline", "activate", "deactivate", "enable", "disable", "start", "stop", "pause",
        "resume", "retry", "close", "reopen", "merge", "move", "copy", "send", "resend", "share", "report", "join",
        "leave", "graphql",
    ]

    /// Those that are asked with GET.
    static let questions: Set<String> = [
        "search", "export", "lookup", "query", "check", "validate", "verify", "graphql", "logout", "login",
    ]

    init(_ path: SamplePath, method: String) {
        let segments = path.segments.drop { segment in
            if case .name(let name) = segment { SwiftName.isBaseSegment(name) } else { false }
        }
        let names = segments.enumerated().compactMap { index, segment -> (index: Int, name: String)? in
            if case .name(let name) = segment { (index, name) } else { nil }
        }
        guard let last = names.last else {
            self.init(kind: .root, noun: [], name: [], parent: [], scope: "/")
            return
        }
        let previous = names.dropLast().last
        let isItem = last.index < segments.count - 1
        let followsValue = previous.map { $0.index < last.index - 1 } ?? false
        let kind = Self.kind(
            last.name, isItem: isItem, previous: previous?.name, followsValue: followsValue, method: method)
        // Views, actions and `me` are about the collection before them.
        let isCall = Self.isCall(last.name)
        let isAbout = !isCall && kind != .collection && kind != .single && !isItem && previous != nil
        let resource = isAbout ? previous ?? last : last
        self.init(
            kind: kind, noun: isCall ? Array(SampleWords.item(last.name).dropFirst()) : SampleWords.item(resource.name),
            name: SampleWords.words(last.name),
            parent: names.last { $0.index < resource.index }.map { SampleWords.item($0.name) } ?? [],
            scope: "/" + names.filter { $0.index <= resource.index }.map(\.name).joined(separator: "/"))
    }

    private init(kind: Kind, noun: [String], name: [String], parent: [String], scope: String) {
        self.kind = kind
        self.noun = noun
        self.name = name
        self.parent = parent
        self.scope = scope
    }

    /// `getUser`, `list-articles`: the name of a function rather than of a thing.
    static func isCall(_ name: String) -> Bool {
        let words = SampleWords.words(name)
        let clear = ["get", "fetch", "create", "update", "delete"]
        // `list-items` and `add-ons` can be things; `listItems` is more often a function.
        let others = name.contains("-") ? [] : ["list", "find", "add", "remove", "set", "save"]
        return words.count > 1 && words.first.map((clear + others).contains) ?? false
    }

    private static func kind(
        _ name: String, isItem: Bool, previous: String?, followsValue: Bool, method: String
    ) -> Kind {
        let word = name.lowercased()
        let plain = SampleWords.words(name).joined()
        if isItem { return .item }
        if isCall(name) { return .action(name) }
        // `check-ins` are things, and so is a report that is read.
        let startsWithVerb = !SampleWords.isPlural(name) && SampleWords.words(name).first.map(verbs.contains) ?? false
        let known = ["GET", "HEAD"].contains(method) ? questions : verbs
        if known.contains(plain) || startsWithVerb && known == verbs, method != "DELETE" { return .action(name) }
        if SampleWords.isPlural(name) && !views.contains(word) { return .collection }
        guard let previous else { return .single }
        if followsValue { return .single }
        if owners.contains(word) { return .item }
        if SampleWords.isPlural(previous), method == "GET" || views.contains(word) { return .view(name) }
        return .single
    }
}
