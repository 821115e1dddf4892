import Godwit

/// The options of `graphql`: the document, its variables, and what carries it.
struct GraphQLArguments: Sendable {
    /// What carries a subscription.
    enum Carrier: String, CaseIterable, Sendable {
        case ws, sse, multipart
        case legacyWS = "legacy-ws"
        case singleSSE = "single-sse"
    }

    /// The text of the query; the word after the URL.
    var document: TextSource?
    var variables: TextSource?
    var operationName: String?
    var usesGet = false
    var sendsHashes = false
    var carrier = Carrier.ws
    /// The payload of `connection_init`.
    var payload: TextSource?
    /// Whether the schema is printed instead.
    var printsSchema = false
    /// Whether queries and mutations go over the WebSocket too, as the URL is one of ws or wss.
    var usesSocket = false

    static let options: [Option<Self>] = [
        .flag("--schema", help: "Print the server's schema (SDL) instead, by introspection") { $0.printsSchema = true },
        .value("--variables", of: "JSON|@FILE", help: "The variables as an object; items are added to it") {
            $0.variables = TextSource($1)
        },
        .value("--operation", of: "NAME", help: "The operation to run, if the document has several") {
            $0.operationName = $1
        },
        .flag("-G", "--get", help: "Send a query with GET, so that --cache applies") { $0.usesGet = true },
        .flag("--persisted", help: "Send the hash first, and the text only if the server asks for it") {
            $0.sendsHashes = true
        },
        .value("--over", of: "ws|sse|single-sse|multipart|legacy-ws", help: "What carries a subscription. Default: ws")
        {
            arguments, text throws(UsageError) in
            guard let carrier = Carrier(rawValue: text) else {
                let hint = Suggestion.text(for: text, among: Carrier.allCases.map(\.rawValue))
                throw UsageError("--over needs ws, sse, single-sse, multipart or legacy-ws, not \"\(text)\"\(hint)")
            }
            arguments.carrier = carrier
        },
        .value("--init", of: "JSON|@FILE", help: "The payload of connection_init, such as a token") {
            $0.payload = TextSource($1)
        },
    ]

    static let help = """
        QUERY is the text, @FILE, or - for standard input. A subscription prints each event on a line. If the URL starts
        with ws:// or wss://, queries and mutations go over the WebSocket too.

        Items:
        \(HelpText.line("  name=value, name=@FILE", "A variable that is a string"))\
        \(HelpText.line("  name:=JSON, name:=@FILE", "A variable of another type: first:=10 tags:='[\"a\"]'"))\
        \(HelpText.line("  a[b]=value, tags[]=value", "Nested: {\"a\":{\"b\":…}}, {\"tags\":[…]}"))\
        \(HelpText.line("  name@FILE, name[]@FILE", "An upload, or an upload in a list"))\
        \(HelpText.line("  name==value", "A query item of the URL"))\
        \(HelpText.line("  Name:value", "A header field. Name: removes a default field, Name; sends it empty"))
        """
}

extension RequestArguments {
    /// Takes the URL, which may be one of ws or wss.
    mutating func takeGraphQLAddress(_ address: String) throws(UsageError) {
        guard let handshake = Self.handshake(of: address) else { return url = Self.completed(address) }
        url = handshake
        graphQL.usesSocket = true
        let others: [(String, Bool)] = [
            ("--schema", graphQL.printsSchema), ("--get", graphQL.usesGet), ("--persisted", graphQL.sendsHashes),
            ("--over \(graphQL.carrier.rawValue)", ![.ws, .legacyWS].contains(graphQL.carrier)),
        ]
        if let (option, _) = others.first(where: \.1) {
            throw UsageError("\(option) needs a URL of http or https")
        }
    }

    /// Takes the query from the words after the URL.
    mutating func takeDocument(from words: inout ArraySlice<String>) throws(UsageError) {
        if graphQL.printsSchema {
            if let word = words.first(where: { $0.contains("{") }) {
                throw UsageError("--schema sends its own query; remove \"\(word.prefix(40))\"")
            }
            return
        }
        guard let word = words.popFirst() else {
            throw UsageError("the query is missing: write it after the URL, as '{ … }' or @FILE")
        }
        guard word == "-" || word.hasPrefix("@") || word.contains("{") else {
            throw UsageError("\"\(word)\" is not a query; write '{ … }', or @\(word) for a file")
        }
        graphQL.document = TextSource(word)
    }

    /// Checks the items of `graphql`, which are variables, query items and header fields.
    func checkVariables() throws(UsageError) {
        for item in items {
            switch item {
            case .body(let path): throw UsageError("@\(path) would be the body; the query comes directly after the URL")
            case .member, .rawMember, .part, .typedMember, .query, .queryFile, .field, .fieldFile, .removal: continue
            }
        }
    }
}
