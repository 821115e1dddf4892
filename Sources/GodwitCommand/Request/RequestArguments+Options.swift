import Godwit

extension RequestArguments {
    /// The options of a command that sends a request, as `--help` shows them.
    static func options(of verb: RequestVerb) -> [OptionGroup<Self>] {
        [content, connection, verb == .sse ? events : output, general]
    }

    private static let content = OptionGroup<Self>(
        title: "Request", options: [methodOption] + fieldOptions + loginOptions + contentOptions)

    static let methodOption = Option<Self>.value("-X", "--request", of: "METHOD", help: "the method") {
        arguments, text throws(UsageError) in
        guard let method = HTTPMethod(text) else { throw UsageError("\"\(text)\" is no method") }
        arguments.method = method
    }

    /// The options that add fields.
    static let fieldOptions: [Option<Self>] = [
        .value("-H", "--header", of: "'NAME: VALUE'", help: "adds a field; @FILE reads one from each line") {
            arguments, text throws(UsageError) in
            arguments.items += try FieldArgument.items(text)
        },
        .value("-u", "--user", of: "NAME:PASSWORD", help: "signs in by HTTP Basic") {
            arguments, text throws(UsageError) in
            guard text.contains(":") else { throw UsageError("-u needs NAME:PASSWORD") }
            let credentials = Data(text.utf8).base64EncodedString()
            arguments.items.append(.field(name: "Authorization", value: "Basic \(credentials)"))
        },
    ]

    /// The options that sign in by a token.
    static let loginOptions: [Option<Self>] = [
        .value("--token-file", of: "FILE", help: "signs in by the token that godwit login stored") {
            arguments, text in
            arguments.tokenFile = text
        },
        .value("--client-secret-file", of: "FILE", help: "for --token-file: the client's secret, where it has one") {
            arguments, text in
            arguments.clientSecret.file = text
        },
    ]

    private static let contentOptions: [Option<Self>] = [
        .value("--json", of: "TEXT|@FILE|-", help: "JSON content; - reads standard input") { arguments, text in
            arguments.json = TextSource(text)
        },
        .value(
            "-d", "--data", "--data-binary", of: "TEXT|@FILE|-",
            help: "content as it is, of a form's type unless a field says otherwise; several are joined with &"
        ) { arguments, text in arguments.data.append(TextSource(text)) },
        .flag("--form", help: "writes name=value items as an HTML form") { $0.style = .form },
        .flag("--multipart", help: "writes items as a form with files") { $0.style = .multipart },
        .value("-F", of: "NAME=VALUE|NAME=@FILE", help: "adds a part to a form with files") {
            arguments, text throws(UsageError) in
            arguments.style = .multipart
            arguments.items.append(try FieldArgument.part(text))
        },
    ]

    static let connection = OptionGroup<Self>(
        title: "Connection",
        options: [
            .value("-m", "--timeout", "--max-time", of: "SECONDS", help: "for the whole exchange; no limit by default")
            { arguments, text throws(UsageError) in
                arguments.timeouts.total = try seconds(text, for: "--timeout")
            },
            .value("--connect-timeout", of: "SECONDS", help: "until the connection stands; 30 by default") {
                arguments, text throws(UsageError) in
                arguments.timeouts.connect = try seconds(text, for: "--connect-timeout")
            },
            .value("--max-redirects", "--max-redirs", of: "N", help: "follows up to N redirects; 20 by default") {
                arguments, text throws(UsageError) in
                guard let limit = Int(text), limit >= 0 else { throw UsageError("--max-redirects needs a number") }
                arguments.redirects = .followUp(to: limit)
            },
            .value("--retry", of: "N", help: "repeats up to N times what may be repeated; 0 by default") {
                arguments, text throws(UsageError) in
                guard let count = Int(text), (0...1000).contains(count) else {
                    throw UsageError("--retry needs a number from 0 to 1000")
                }
                arguments.retries = count
            },
            .value("-c", "--cookie-jar", of: "FILE", help: "sends the cookies kept in FILE, and keeps new ones there") {
                arguments, text in
                arguments.cookieJar = text
            },
            .value("--cache", of: "DIR", help: "answers from responses kept in DIR while they hold (RFC 9111)") {
                arguments, text in
                arguments.cache = text
            },
            .flag("--no-follow", help: "shows a redirect instead of following it") { $0.redirects = .block },
            .flag("-L", "--location", help: "follows redirects, as is the default") { $0.redirects = .follow },
            .value("-x", "--proxy", of: "URL", help: "http, https, socks5 or socks5h; none for no proxy at all") {
                arguments, text in
                arguments.access.proxy = text
            },
            .value("--unix-socket", of: "PATH", help: "connects to a unix-domain socket, whatever the URL's host") {
                arguments, text in
                arguments.access.unixSocketPath = text
            },
            .value("--cacert", of: "FILE", help: "trusts the authorities in this PEM file, beside the system's") {
                arguments, text in
                arguments.access.authorities = text
            },
            .value(
                "--pin", "--pinnedpubkey", of: "sha256//BASE64",
                help: "lets the URL's host in only with this key in its chain; several: with any of them"
            ) { arguments, text throws(UsageError) in
                arguments.access.pins += try pins(text)
            },
            .value("-E", "--cert", of: "FILE", help: "shows the URL's host this certificate (PEM), if it asks") {
                arguments, text in
                arguments.access.certificate = text
            },
            .value("--key", of: "FILE", help: "the certificate's key (PEM), if it is in a file of its own") {
                arguments, text in
                arguments.access.key = text
            },
            .flag("--http1", "--http1.1", help: "offers HTTP/1.1 only") { $0.access.onlyHTTP1 = true },
            .flag("-k", "--insecure", help: "is refused: certificates are always checked; see --cacert") {
                _ throws(UsageError) in
                throw UsageError("certificates are always checked; trust an authority with --cacert FILE")
            },
            .flag("--compressed", help: "asks for compressed content, as is the default") { _ in },
        ])

    private static let output = OptionGroup<Self>(
        title: "Output",
        options: [
            .value("-o", "--output", of: "FILE", help: "a successful (2xx) body goes to FILE, which must not exist") {
                arguments, text in
                arguments.destination = text == "-" ? .output : .file(text)
            },
            .flag("-O", "--remote-name", help: "the same, into a file named as the URL's last segment") {
                $0.destination = .remoteName
            },
            .flag("--force", help: "replaces the file of -o or -O, once the body is complete") {
                $0.existingFile = .replaced
            },
            .flag("-I", "--head", help: "sends HEAD, and shows the head of the answer") { $0.method = .head },
            .flag("-i", "--include", help: "shows the head of the answer before its body") { $0.includesHead = true },
            .flag("--pretty", help: "lays JSON out, as is the default on a terminal") { $0.layout = .pretty },
            .flag("--compact", help: "writes JSON without white space") { $0.layout = .compact },
            .flag("--raw", help: "leaves the body unchanged, as is the default elsewhere") { $0.layout = .unchanged },
            .flag(
                "--json-output",
                help: "writes one JSON object for scripts: status, fields, metrics, and body or error"
            ) { $0.reportsAsJSON = true },
            .flag("-f", "--fail", help: "leaves out the body of an HTTP error; the exit code is 22 either way") {
                $0.dropsErrorBody = true
            },
            .flag("-q", "--quiet", help: "writes no body; errors and the exit code remain") { $0.isQuiet = true },
        ])

    static let general = OptionGroup<Self>(
        title: "Diagnosis, on standard error",
        options: [
            .flag("-v", "--verbose", help: "shows the head of each request and answer, without secrets") {
                $0.isVerbose = true
            },
            .value("--har", of: "FILE", help: "records each exchange in an HTTP archive, secrets left out") {
                arguments, text in
                arguments.archive = text
            },
            .flag("--timing", help: "draws where the time went: dns, tcp, tls, wait, body") { $0.showsTiming = true },
            .flag("-h", "--help", help: "shows this") { $0.wantsHelp = true },
        ])

    /// One pin, or several with semicolons between them as curl takes them.
    private static func pins(_ text: String) throws(UsageError) -> [Pin] {
        var pins: [Pin] = []
        for word in text.split(separator: ";") {
            let pin = Pin.sha256(String(word))
            guard word.hasPrefix("sha256/"), pin.isValid else {
                throw UsageError("--pin needs sha256// and the Base64 of a key's SHA-256, not \"\(word)\"")
            }
            pins.append(pin)
        }
        return pins
    }
    private static let events = OptionGroup<Self>(
        title: "Events",
        options: [
            .value("--last-event-id", of: "ID", help: "goes on behind this event, as an earlier run left off") {
                arguments, text in
                arguments.lastEventID = text
            },
            .value("--idle-timeout", of: "SECONDS", help: "reconnects after so long without a byte; 60 by default") {
                arguments, text throws(UsageError) in
                arguments.timeouts.inactivity = try seconds(text, for: "--idle-timeout")
            },
            .flag("--no-reconnect", help: "ends with the connection, as it does anyway after POST and its like") {
                $0.reconnects = false
            },
            .flag("--json-output", help: "writes one JSON object a line: type, data, id, lastEventID, retry") {
                $0.reportsAsJSON = true
            },
        ])

    private static func seconds(_ text: String, for option: String) throws(UsageError) -> Duration {
        guard let value = Double(text), value.isFinite, value > 0, value < 1e9 else {
            throw UsageError("\(option) needs a number of seconds above 0")
        }
        return .seconds(value)
    }
}
