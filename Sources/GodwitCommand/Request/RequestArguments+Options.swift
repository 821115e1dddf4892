import Godwit

extension RequestArguments {
    /// The options of a command that sends a request, as `--help` shows them.
    static func options(of verb: RequestVerb) -> [OptionGroup<Self>] {
        [request, connection, verb == .sse ? events : output] + (verb == .sse ? [] : [checks]) + [general]
    }

    private static let request = OptionGroup<Self>(
        title: "Request", options: [methodOption] + fieldOptions + loginOptions + bodyOptions)

    static let methodOption = Option<Self>.value("-X", "--request", of: "METHOD", help: "The method") {
        arguments, text throws(UsageError) in
        guard let method = HTTPMethod(text) else { throw UsageError("\"\(text)\" is not a method") }
        arguments.method = method
    }

    static let fieldOptions: [Option<Self>] = [
        .value("-H", "--header", of: "'NAME: VALUE'", help: "Add a header field; @FILE reads one from each line") {
            arguments, text throws(UsageError) in
            arguments.items += try FieldArgument.items(text)
        },
        .value("-u", "--user", of: "NAME:PASSWORD", help: "Sign in with HTTP Basic") {
            arguments, text throws(UsageError) in
            guard text.contains(":") else { throw UsageError("-u needs NAME:PASSWORD") }
            let credentials = Data(text.utf8).base64EncodedString()
            arguments.items.append(.field(name: "Authorization", value: "Basic \(credentials)"))
        },
    ]

    static let loginOptions: [Option<Self>] = [
        .value("--token-file", of: "FILE", help: "Sign in with the token that godwit login saved") {
            $0.tokenFile = $1
        },
        .value(
            "--client-secret-file", of: "FILE", help: "For --token-file: contains the client secret, if there is one"
        ) {
            $0.clientSecret.file = $1
        },
    ]

    private static let bodyOptions: [Option<Self>] = [
        .value("--json", of: "TEXT|@FILE|-", help: "A JSON body; - reads standard input") { $0.json = TextSource($1) },
        .value(
            "-d", "--data", "--data-binary", of: "TEXT|@FILE|-",
            help: "A body, sent unchanged as a form unless Content-Type says otherwise; several are joined with &"
        ) { $0.data.append(TextSource($1)) },
        .flag("--form", help: "Send name=value items as an HTML form") { $0.style = .form },
        .flag("--multipart", help: "Send items as multipart/form-data") { $0.style = .multipart },
        .value("-F", of: "NAME=VALUE|NAME=@FILE", help: "Add a part to a multipart form") {
            arguments, text throws(UsageError) in
            arguments.style = .multipart
            arguments.items.append(try FieldArgument.part(text))
        },
    ]

    static let connection = OptionGroup<Self>(
        title: "Connection",
        options: [
            .seconds("-m", "--timeout", "--max-time", help: "The time limit for the whole exchange. Default: none") {
                $0.timeouts.total = $1
            },
            .seconds("--connect-timeout", help: "The time limit for connecting. Default: 30") {
                $0.timeouts.connect = $1
            },
            .count("--max-redirects", "--max-redirs", in: 0...1000, help: "Follow up to N redirects. Default: 20") {
                $0.redirects = .followUp(to: $1)
            },
            .count("--retry", in: 0...1000, help: "Retry up to N times if that is safe. Default: 0") {
                $0.retries = $1
            },
            .value("-c", "--cookie-jar", of: "FILE", help: "Send the cookies in FILE and save new ones there") {
                $0.cookieJar = $1
            },
            .value("--cache", of: "DIR", help: "Reuse responses stored in DIR while they are fresh (RFC 9111)") {
                $0.cache = $1
            },
            .flag("--no-follow", help: "Print a redirect instead of following it") { $0.redirects = .block },
            .flag("-L", "--location", help: "Follow redirects (the default)") { $0.redirects = .follow },
        ]
            + ([ServerAccess.proxyOption, ServerAccess.socketOption, ServerAccess.authoritiesOption]
            + ServerAccess.hostOptions).map { $0.lifted(to: \.access) }
            + [
                .flag("-k", "--insecure", help: "Not supported: certificates are always checked. Use --cacert") {
                    _ throws(UsageError) in
                    throw UsageError("certificates are always checked; trust an authority with --cacert FILE")
                },
                .flag("--compressed", help: "Request a compressed body (the default)") { _ in },
            ])

    private static let output = OptionGroup<Self>(
        title: "Output",
        options: [
            .value("-o", "--output", of: "FILE", help: "Write a successful (2xx) body to FILE, which must not exist") {
                $0.destination = $1 == "-" ? .output : .file($1)
            },
            .flag("-O", "--remote-name", help: "The same, with the last path segment of the URL as the file name") {
                $0.destination = .remoteName
            },
            .flag("--force", help: "Replace the file of -o or -O once the body is complete") {
                $0.existingFile = .replaced
            },
            .flag("-I", "--head", help: "Send HEAD and print the response head") { $0.method = .head },
            .flag("-i", "--include", help: "Print the response head before the body") { $0.includesHead = true },
            .flag("--pretty", help: "Format JSON (the default on a terminal)") { $0.layout = .pretty },
            .flag("--compact", help: "Print JSON without whitespace") { $0.layout = .compact },
            .flag("--raw", help: "Print the body unchanged (the default if the output is not a terminal)") {
                $0.layout = .unchanged
            },
            .flag("--json-output", help: "Print one JSON object: status, fields, metrics, and body or error") {
                $0.reportsAsJSON = true
            },
            .flag("-f", "--fail", help: "Omit the body of an HTTP error. The exit code is 22 in any case") {
                $0.dropsErrorBody = true
            },
            .flag("-q", "--quiet", help: "Print no body, only errors") { $0.isQuiet = true },
        ])

    private static let checks = OptionGroup<Self>(
        title: "Checks", options: CheckArguments.options.map { $0.lifted(to: \.checks) })

    static let general = OptionGroup<Self>(
        title: "Diagnostics, on standard error",
        options: [
            .flag("-v", "--verbose", help: "Print the head of each request and response, without secrets") {
                $0.isVerbose = true
            },
            .value("--har", of: "FILE", help: "Save each exchange in an HTTP archive, without secrets") {
                $0.archive = $1
            },
            .flag("--timing", help: "Draw the time of each phase: dns, tcp, tls, wait, body") { $0.showsTiming = true },
            .flag("-h", "--help", help: "Show this help") { $0.wantsHelp = true },
        ])

    private static let events = OptionGroup<Self>(
        title: "Events",
        options: [
            .value("--last-event-id", of: "ID", help: "Continue after this event, where an earlier run ended") {
                $0.lastEventID = $1
            },
            .seconds("--idle-timeout", help: "Reconnect if no byte arrives for this time. Default: 60") {
                $0.timeouts.inactivity = $1
            },
            .flag("--no-reconnect", help: "Exit when the connection ends. POST and PATCH never reconnect") {
                $0.reconnects = false
            },
            .flag("--json-output", help: "Print one JSON object per line: type, data, id, lastEventID, retry") {
                $0.reportsAsJSON = true
            },
        ])
}
