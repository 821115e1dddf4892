import Godwit

extension RequestArguments {
    /// The options of a command that sends a request, as `--help` shows them.
    static func options(of verb: RequestVerb) -> [OptionGroup<Self>] {
        switch verb {
        case .sse: [request, connection, events, general]
        case .paginate: [request, connection, pages, general]
        case .graphql: [operation, graphQL, connection, general]
        default: [request, connection, output, checks, general]
        }
    }

    private static let request = OptionGroup<Self>(
        title: "Request", options: [methodOption] + fieldOptions + loginOptions + bodyOptions)

    private static let operation = OptionGroup<Self>(title: "Request", options: fieldOptions + loginOptions)

    private static let graphQL = OptionGroup<Self>(
        title: "GraphQL",
        options: GraphQLArguments.options.map { $0.lifted(to: \.graphQL) } + [
            .flag("--no-reconnect", help: "Exit when a subscription's connection is lost") { $0.reconnects = false },
            .flag("--pretty", help: "Format the data (the default on a terminal)") { $0.layout = .pretty },
            .flag("--compact", help: "Print the data without whitespace") { $0.layout = .compact },
            .flag("--json-output", help: "Print an object with data, errors and extensions: one, or one per event") {
                $0.reportsAsJSON = true
            },
        ])

    /// What `godwit curl` has in addition.
    static let curlOptions = OptionGroup<Self>(
        title: "curl",
        options: [
            .value("--url", of: "URL", help: "The URL") { $0.curlAddresses.append($1) },
            .value("-T", "--upload-file", of: "FILE", help: "Send a file with PUT") { $0.uploadedFile = $1 },
        ])

    /// A file that is read or kept, which standard input and output can't be.
    private static func fileName(_ text: String, of option: String) throws(UsageError) -> String {
        guard text != "-" else { throw UsageError("\(option) needs a file, not -; if it is called so, write ./-") }
        return text
    }

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
        .value("-r", "--range", of: "FIRST-LAST", help: "Request a part of the body, in bytes") {
            $0.items.append(.field(name: "Range", value: "bytes=\($1)"))
        },
        .value("-A", "--user-agent", of: "TEXT", help: "The User-Agent field") {
            $0.items.append(.field(name: "User-Agent", value: $1))
        },
        .value("-e", "--referer", of: "URL", help: "The Referer field") {
            $0.items.append(.field(name: "Referer", value: $1))
        },
        .value("-u", "--user", of: "NAME:PASSWORD", help: "Sign in with HTTP Basic, or with --digest") {
            arguments, text throws(UsageError) in
            guard text.contains(":") else {
                throw UsageError("-u needs NAME:PASSWORD; an empty password is NAME:")
            }
            arguments.login.user = text
            arguments.login.bearer = nil
        },
    ]

    static let loginOptions: [Option<Self>] = [
        .flag("--basic", help: "Use HTTP Basic for -u and -n (the default)") { $0.login.usesDigest = false },
        .flag("--digest", help: "Answer a Digest challenge with -u or -n, instead of sending the password") {
            $0.login.usesDigest = true
        },
        .value("--bearer", "--oauth2-bearer", of: "TOKEN|@FILE", help: "Sign in with a token") {
            $0.login.bearer = TextSource($1)
            $0.login.user = nil
        },
        .flag("-n", "--netrc", help: "Sign in as ~/.netrc says for the host") { $0.login.netrc = .standard },
        .value("--netrc-file", of: "FILE", help: "The same, with another file") { $0.login.netrc = .file($1) },
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
        .value("--json", of: "TEXT|@FILE|-", help: "A JSON body; - reads standard input") {
            arguments, text throws(UsageError) in
            let isJSON =
                text.first.map("@-{[\"".contains) ?? false || (try? JSONDocument(parsing: Data(text.utf8))) != nil
            if !isJSON, Self.isAddress(text) || (try? RequestItem(text)) != nil {
                throw UsageError("--json needs a body; items are sent as JSON without it")
            }
            arguments.json = TextSource(text)
        },
        .value(
            "-d", "--data", "--data-ascii", of: "TEXT|@FILE|-",
            help: "A body, sent as a form unless Content-Type says otherwise; a file without its line breaks"
        ) { $0.data.append(TextSource(ofData: $1)) },
        .value("--data-binary", of: "TEXT|@FILE|-", help: "The same, with line breaks; several are joined with &") {
            $0.data.append(TextSource($1))
        },
        .value("--data-raw", of: "TEXT", help: "The same, without a meaning for @") { $0.data.append(.text($1)) },
        .value(
            "--data-urlencode", of: "TEXT|NAME=TEXT|NAME@FILE", help: "The same, with the text percent-encoded"
        ) { $0.data.append(TextSource(toEncode: $1)) },
        .flag("-G", "--get", help: "Send the data of -d in the query, with GET") {
            $0.sendsDataInQuery = true
            $0.method = .get
        },
        .flag("--form", help: "Send name=value items as an HTML form") { $0.style = .form },
        .flag("--multipart", help: "Send items as multipart/form-data") { $0.style = .multipart },
        .value(
            "-F", of: "NAME=VALUE|NAME=@FILE[;filename=…][;type=…]",
            help: "Add a part to a multipart form; NAME=<FILE sends the text of a file"
        ) { arguments, text throws(UsageError) in
            arguments.style = .multipart
            arguments.items.append(try FieldArgument.part(text))
        },
        .value("--form-string", of: "NAME=VALUE", help: "The same, without a meaning for @, < and ;") {
            arguments, text throws(UsageError) in
            arguments.style = .multipart
            arguments.items.append(try FieldArgument.text(text))
        },
        .flag("--ignore-stdin", help: "Don't send piped standard input as the body") { $0.ignoresInput = true },
    ]

    static let connection = OptionGroup<Self>(
        title: "Connection",
        options: [
            .seconds(
                "-m", "--timeout", "--max-time", help: "The time limit for all of it, retries included. Default: none"
            ) {
                $0.timeouts.call = $1
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
            .value(
                "-b", "--cookie", of: "NAME=VALUE|FILE",
                help: "Send a cookie, or those in FILE (godwit's or Netscape's), which may be missing"
            ) {
                arguments, text throws(UsageError) in
                if text.contains("=") {
                    arguments.items.append(.field(name: "Cookie", value: text))
                } else {
                    arguments.cookieFiles.append(try fileName(text, of: "-b"))
                }
            },
            .value(
                "-c", "--cookie-jar", of: "FILE|-",
                help: "Send the cookies in FILE, and save all of them there; - prints them in curl's format"
            ) {
                $0.cookieJar = $1
            },
            .value("--hsts", of: "FILE", help: "Use https for the hosts in FILE (curl's form), and keep new ones there")
            {
                arguments, text throws(UsageError) in
                arguments.hsts = try fileName(text, of: "--hsts")
            },
            .value(
                "--session", of: "NAME", help: "Keep header fields, login and cookies for this host; see: help sessions"
            ) {
                arguments, text throws(UsageError) in
                guard SessionFile.isName(text) else {
                    throw UsageError(
                        "--session needs a name of letters, digits, \"-\", \"_\" and \".\", not \"\(text)\"")
                }
                arguments.session = text
            },
            .value("--cache", of: "DIR", help: "Reuse responses stored in DIR while they are fresh (RFC 9111)") {
                $0.cache = $1
            },
            .flag("--no-follow", help: "Print a redirect instead of following it") { $0.redirects = .block },
            .flag("-L", "--location", help: "Follow redirects (the default)") { $0.redirects = .follow },
        ]
            + ([
                ServerAccess.proxyOption, ServerAccess.proxyExceptionsOption, ServerAccess.socketOption,
                ServerAccess.plaintextOption, ServerAccess.authoritiesOption,
            ]
            + ServerAccess.hostOptions + ServerAccess.routeOptions).map { $0.lifted(to: \.access) }
            + [
                .flag("-k", "--insecure", help: "Not supported: certificates are always checked. Use --cacert") {
                    _ throws(UsageError) in
                    throw UsageError("certificates are always checked; trust an authority with --cacert FILE")
                },
                .flag("--compressed", help: "Request a compressed body (the default)") { _ in },
                .flag(
                    "-g", "--globoff", "-N", "--no-buffer", "--fail-with-body",
                    help: "Accepted for curl users: the default"
                ) {
                    _ in
                },
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
            .flag(
                "-J", "--remote-header-name",
                help: "With -O, the name that the server gives, checked; as godwit download"
            ) {
                $0.takesServerName = true
                $0.destination = .remoteName
            },
            .value(
                "-w", "--write-out", of: "FORMAT|@FILE", help: "Print this after the body, such as '%{http_code}\\n'"
            ) {
                arguments, text throws(UsageError) in
                arguments.report = try WriteOut(argument: text)
            },
            .flag("--offline", help: "Print the request, and send nothing") { $0.printing = .request },
            .flag("--curl", help: "Print the request as a curl command, and send nothing") { $0.printing = .curl },
            .flag("--show-secrets", help: "For --offline and --curl: print secrets too") { $0.showsSecrets = true },
            .count("--repeat", in: 1...1_000_000, help: "Send the request N times, on the same connection") {
                $0.runs.count = $1
            },
            .seconds("--watch", help: "Send the request again after this time, until interrupted") {
                $0.runs.pause = $1
            },
            .flag("--json-output", help: "Print one JSON object: status, fields, metrics, and body or error") {
                $0.reportsAsJSON = true
            },
            .flag("--fail", help: "Omit the body of an HTTP error. The exit code is 22 in any case") {
                $0.dropsErrorBody = true
            },
            .flag("-f", help: "The same; refused with items, as HTTPie's -f is --form") {
                $0.dropsErrorBody = true
                $0.usesShortFail = true
            },
            .flag("-q", "--quiet", help: "Print no body, only errors") { $0.isQuiet = true },
        ])

    private static let checks = OptionGroup<Self>(
        title: "Checks", options: CheckArguments.options.map { $0.lifted(to: \.checks) })

    static let general = OptionGroup<Self>(
        title: "Diagnostics, on standard error",
        options: [
            .flag(
                "-v", "--verbose",
                help: "Print the heads as sent and received, without secrets; -vv also request bodies"
            ) {
                $0.verbosity += 1
            },
            .value(
                "--color", "--colour", of: "auto|always|never",
                help: "Color the output. Default: on a terminal, without NO_COLOR"
            ) {
                arguments, text throws(UsageError) in
                guard let color = ColorChoice(rawValue: text) else {
                    let hint = Suggestion.text(for: text, among: ColorChoice.allCases.map(\.rawValue))
                    throw UsageError("--color needs auto, always or never, not \"\(text)\"\(hint)")
                }
                arguments.color = color
            },
            .flag(
                "-s", "--silent", "-S", "--show-error", "--no-progress-meter",
                help: "Accepted for curl users: no progress is shown, and errors always are"
            ) { _ in },
            .flag("--no-config", help: "Ignore ~/.config/godwit/config; see: godwit help config") {
                $0.ignoresConfig = true
            },
            .value("--har", of: "FILE", help: "Save each exchange in an HTTP archive, without secrets") {
                arguments, text throws(UsageError) in
                arguments.archive = try fileName(text, of: "--har")
            },
            .flag("--timing", help: "Draw the time of each phase: dns, tcp, tls, wait, body") { $0.showsTiming = true },
            .flag("-h", "--help", help: "Show this help") { $0.wantsHelp = true },
        ])

    private static let pages = OptionGroup<Self>(
        title: "Pages", options: PageArguments.options.map { $0.lifted(to: \.pages) })

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
