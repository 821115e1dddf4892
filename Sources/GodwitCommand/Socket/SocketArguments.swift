import Godwit

/// What the command line of `ws` says.
struct SocketArguments: Sendable {
    static let usage = "URL"
    static let summary = "talks over a WebSocket: lines of the input are sent as text, messages are written one a line"

    var url = ""
    var fields: [RequestItem] = []
    var subprotocols: [String] = []
    var compresses = false
    /// How long the server may be silent once the input has ended; nil for as long as it likes.
    var patience: Duration? = .seconds(1)
    var reportsAsJSON = false
    var timeouts = Timeouts()
    var access = ServerAccess()
    var wantsHelp = false

    init(parsing line: ArraySlice<String>) throws(UsageError) {
        var parser = OptionParser(Self.options)
        let words = try parser.parse(line, into: &self)
        if wantsHelp { return }
        guard let address = words.first else { throw UsageError("a URL is missing") }
        guard words.count == 1 else { throw UsageError("there is more than one URL") }
        url = Self.completed(address)
    }

    /// The same URL as HTTP spells it, which the handshake goes to.
    private static func completed(_ address: String) -> String {
        for (scheme, http) in [("ws://", "http://"), ("wss://", "https://")]
        where address.lowercased().hasPrefix(scheme) {
            return http + address.dropFirst(scheme.count)
        }
        return RequestArguments.completed(address)
    }
}

extension SocketArguments {
    /// The options of `ws`, as `--help` shows them.
    static let options = [handshake, output]

    private static let handshake = OptionGroup<Self>(
        title: "Connection",
        options: [
            .value("-H", "--header", of: "'NAME: VALUE'", help: "adds a field to the handshake; @FILE reads some") {
                arguments, text throws(UsageError) in
                arguments.fields += try FieldArgument.items(text)
            },
            .value("-s", "--subprotocol", of: "NAME", help: "offers a subprotocol; may be given several times") {
                $0.subprotocols.append($1)
            },
            .flag("--compress", help: "offers to compress messages (permessage-deflate)") { $0.compresses = true },
            .value("--connect-timeout", of: "SECONDS", help: "until the connection stands; 30 by default") {
                arguments, text throws(UsageError) in
                arguments.timeouts.connect = try seconds(text, for: "--connect-timeout")
            },
            .value("-x", "--proxy", of: "URL", help: "http, https, socks5 or socks5h; none for no proxy at all") {
                $0.access.proxy = $1
            },
            .value("--unix-socket", of: "PATH", help: "connects to a unix-domain socket, whatever the URL's host") {
                $0.access.unixSocketPath = $1
            },
            .value("--cacert", of: "FILE", help: "trusts the authorities in this PEM file, beside the system's") {
                $0.access.authorities = $1
            },
        ])

    private static let output = OptionGroup<Self>(
        title: "Input and output",
        options: [
            .flag("--listen", help: "stays when the input ends, until the server closes") { $0.patience = nil },
            .value(
                "--wait", of: "SECONDS",
                help: "closes when the input has ended and no message came for so long; 1 by default"
            ) { arguments, text throws(UsageError) in
                arguments.patience = try seconds(text, for: "--wait")
            },
            .flag("--json-output", help: "writes one JSON object a line: each message, and how it ended") {
                $0.reportsAsJSON = true
            },
            .flag("-h", "--help", help: "shows this") { $0.wantsHelp = true },
        ])

    private static func seconds(_ text: String, for option: String) throws(UsageError) -> Duration {
        guard let value = Double(text), value.isFinite, value > 0, value < 1e9 else {
            throw UsageError("\(option) needs a number of seconds above 0")
        }
        return .seconds(value)
    }
}
