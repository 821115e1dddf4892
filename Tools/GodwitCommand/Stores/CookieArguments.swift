import Godwit

/// The arguments of `cookies`.
struct CookieArguments: CommandArguments {
    static let usage = "cookies FILE|--session NAME [URL]"
    static let summary = "Show or delete the cookies in a file or a session"
    static let notes: String? = """
        With a URL, only the cookies that a request to it would send are meant. Values are secrets, and shown on request.

        """

    enum Source: Sendable, Hashable {
        case file(String)
        case session(String)
    }

    enum Output: Sendable {
        case table, json, netscape
    }

    var source = Source.file("")
    var url: HTTPURL?
    var output = Output.table
    var showsValues = false
    /// The names of the cookies to delete.
    var deleted: Set<String> = []
    var deletesAll = false
    var wantsHelp = false

    var changes: Bool { deletesAll || !deleted.isEmpty }

    mutating func take(_ words: [String]) throws(UsageError) {
        var words = words[...]
        if case .file = source {
            guard let path = words.popFirst() else {
                throw UsageError("the file is missing; or write --session NAME URL")
            }
            source = .file(path)
        }
        if let text = words.popFirst() { url = try Self.url(text) }
        guard words.isEmpty else { throw UsageError("more than one URL given") }
        if case .session = source, url == nil { throw UsageError("--session needs the URL of its host") }
    }

    /// - Parameter text: As for a request: `:8080`, `example.com`.
    static func url(_ text: String) throws(UsageError) -> HTTPURL {
        do throws(InvalidURL) {
            return try HTTPURL(RequestArguments.completed(text))
        } catch {
            throw UsageError("\"\(text)\" is not a URL: \(error.reason)")
        }
    }

    static let options = [
        OptionGroup<Self>(
            title: "Cookies",
            options: [
                .value("--session", of: "NAME", help: "The cookies of a session instead of a file; needs the URL") {
                    arguments, text throws(UsageError) in
                    guard SessionFile.isName(text) else {
                        throw UsageError("\"\(text)\" is not the name of a session")
                    }
                    arguments.source = .session(text)
                },
                .value("--delete", of: "NAME", help: "Delete the cookies with this name. Can be repeated") {
                    $0.deleted.insert($1)
                },
                .flag("--clear", help: "Delete all cookies") { $0.deletesAll = true },
                .flag("--values", help: "Show the values") { $0.showsValues = true },
                .flag("--json-output", help: "Print one JSON object per line") { $0.output = .json },
                .flag("--netscape", help: "Print curl's format, with the values, for curl -b") {
                    $0.output = .netscape
                },
                helpOption,
            ])
    ]
}
