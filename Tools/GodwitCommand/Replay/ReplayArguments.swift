import Godwit
import GodwitPatterns

/// The arguments of `replay`.
struct ReplayArguments: CommandArguments {
    static let usage = "replay FILE --against URL"
    static let summary = "Send the recorded requests of a HAR file or cassette to a server, and show what differs"

    static let notes: String? = """
        Statuses and JSON bodies are compared. GET, HEAD and OPTIONS are sent. Recorded credentials are not sent: pass those
        of the server with -H.
        """

    var file = ""
    var target = ""
    var sendsAllMethods = false
    var ignored: [JSONDifference.Pattern] = []
    var fields: [RequestItem] = []
    /// The host whose exchanges are sent; `nil` means all.
    var host: String?
    var timeouts = Timeouts()
    var access = ServerAccess()
    var wantsHelp = false

    init() {
        timeouts.total = .seconds(60)
    }

    mutating func take(_ words: [String]) throws(UsageError) {
        guard let word = words.first else { throw UsageError("the file is missing") }
        guard words.count == 1 else { throw UsageError("more than one file given") }
        guard !target.isEmpty else { throw UsageError("--against is missing: the URL of the server") }
        file = word
    }

    static let options = [
        OptionGroup<Self>(
            title: "Requests",
            options: [
                .value("--against", of: "URL", help: "The server. Recorded paths are appended to the path of the URL") {
                    $0.target = RequestArguments.completed($1)
                },
                .flag("--all-methods", help: "Also send POST, PUT, PATCH, DELETE and others, which change the server") {
                    $0.sendsAllMethods = true
                },
                .value("--host", of: "HOST", help: "Send only what was recorded from this host. Default: all hosts") {
                    $0.host = $1
                },
                .value("-H", "--header", of: "'NAME: VALUE'", help: "Add a header field; @FILE reads several") {
                    arguments, text throws(UsageError) in
                    arguments.fields += try FieldArgument.items(text)
                },
                .seconds("--timeout", help: "The time limit of a request. Default: 60") { $0.timeouts.total = $1 },
                .seconds("--connect-timeout", help: "The time limit for connecting. Default: 30") {
                    $0.timeouts.connect = $1
                },
                ServerAccess.proxyOption.lifted(to: \.access), ServerAccess.socketOption.lifted(to: \.access),
                ServerAccess.authoritiesOption.lifted(to: \.access),
            ]),
        OptionGroup<Self>(
            title: "Comparison",
            options: [
                .value(
                    "--ignore", of: ".PATH",
                    help: "Ignore a member of JSON bodies, such as .updatedAt or .items[].id. Can be repeated"
                ) { arguments, text throws(UsageError) in
                    guard let pattern = JSONDifference.Pattern(text) else {
                        throw UsageError("--ignore needs a path such as .items[].id, not \"\(text)\"")
                    }
                    arguments.ignored.append(pattern)
                },
                helpOption,
            ]),
    ]
}
