/// A subject that `godwit help TOPIC` explains.
enum HelpTopic: String, CaseIterable {
    case config, curl, input, items, output, sessions
    case exitCodes = "exit-codes"
    case login = "signing-in"
    case urls

    static func unknown(_ name: String, _ commands: [String]) -> UsageError {
        let topics = allCases.map(\.rawValue)
        let hint = Suggestion.text(for: name, among: topics + ["all"] + commands)
        return UsageError(
            "no command and no topic is called \"\(name)\"\(hint); topics: \(topics.joined(separator: ", "))")
    }

    var text: String {
        switch self {
        case .config: Self.configText
        case .curl: Self.curlText
        case .input: Self.inputText
        case .items: RequestItem.help + Self.itemsText
        case .output: Self.outputText
        case .sessions: Self.sessionText
        case .exitCodes: HelpText.exitCodes
        case .login: Self.loginText
        case .urls: Self.urlText
        }
    }

    private static let configText = """
        The file ~/.config/godwit/config ($XDG_CONFIG_HOME/godwit/config) contains default options, written as on
        the command line, one option on a line. Options under [HOST] apply only to that host.

          # for all hosts
          --timeout 30

          [api.example.com]
          -H 'X-Team: sea'
          --session me

          [*.example.com]
          --http1.1

          [:8080]
          --bearer @/home/ann/dev-token

        [HOST:PORT] matches a port, [:PORT] one of localhost, [*.DOMAIN] the subdomains. Options of the command line
        come after those of the file and override them. The file applies to requests, not to download, upload, ws
        and other commands. --no-config ignores it. Quotes work as in a shell; nothing else is expanded.

        """

    private static let curlText = """
        godwit curl 'COMMAND' runs a command that developer tools copied, or one that you type without quotes:

          godwit curl 'curl -X POST https://api.example.com/v1/articles --json @article.json'
          godwit curl -i example.com

        As with curl, redirects are followed only with -L, a URL without a scheme is http, and -o replaces a file.
        Other than with curl, certificates are always checked, the exit code is 22 for a status of 400 or more, and an
        option that is not known is an error. --curl prints any request as a curl command.

        """

    private static let inputText = """
        Piped standard input is the body of a POST, PUT or PATCH request, and of a request without a method, which
        is then POST:

          godwit :8080/articles < article.json
          generate | godwit put example.com/report Content-Type:text/csv

        A body that starts with { or [ is sent as JSON, other text as text/plain, unless Content-Type is given. An
        empty input means no body. Input is not read if options or items make the body, for GET, HEAD and DELETE, and
        with --ignore-stdin, which scripts and cron jobs should use. A body in a file can be sent again after a
        redirect; an input of more than 1 MiB can't.

        """

    private static let itemsText = """


        Without a method, a request with a body is POST. With get and head, name=value is refused, as it would be a
        body: write name==value for the query. Names with brackets make nested JSON:

          godwit :8080/users user[name]=Ann user[age]:=42 tags[]=sea tags[]=sky
          {"user":{"name":"Ann","age":42},"tags":["sea","sky"]}

        rows[2]=x sets an element, []=x makes an array of the whole body, 'a\\[b]=c' is a name with a bracket. In
        forms, names are sent as they are.

        """

    private static let outputText = """
        Standard output contains the body and nothing else; heads (-v), timing and errors go to standard error. On a
        terminal, JSON is indented and colored, and binary data is not printed. A pipe gets the body unchanged.

          -v               heads as sent and received, with credentials redacted
          -vv              the same, with bodies of requests
          -i, -I           the response head before the body, or alone
          -w '%{http_code}\\n'   a line for scripts
          --json-output    one JSON object with status, fields, metrics and body
          --color always   colors in a pipe; NO_COLOR=1 switches them off

        """

    private static let sessionText = """
        --session NAME keeps header fields, the login and all cookies, also session cookies, from one run to the
        next, for the host and port of the URL:

          godwit :8080/login --session ann name=ann password=…
          godwit :8080/me --session ann

        Fields that are given again replace those that are kept; Content-* and If-* fields are not kept. The files
        are in ~/.config/godwit/sessions/HOST, and only you can read them; delete them to end a session. -c FILE keeps
        only cookies, and -b FILE sends cookies without saving. godwit cookies --session NAME URL shows the cookies.

        """

    private static let loginText = """
          -u NAME:PASSWORD      HTTP Basic; with --digest, HTTP Digest
          --bearer @FILE        a token in a file; --bearer TOKEN shows it to other users of this machine
          -n, --netrc           the login of ~/.netrc for the host
          --token-file FILE     the token that godwit login saved, refreshed when it expires
          --session NAME        keeps a login for the next runs

        A URL can't contain a user and a password. Credentials are not sent to another host after a redirect.

        """

    private static let urlText = """
          example.com/x     https://example.com/x
          :8080/x           http://localhost:8080/x
          localhost/x       http://localhost/x, as for 127.0.0.1 and [::1]

        A command that is not known but has a dot, colon or slash is a URL, and a word in capitals before a URL is
        the method: godwit DELETE example.com/x. name==value items are added to the query, encoded.

        """
}
