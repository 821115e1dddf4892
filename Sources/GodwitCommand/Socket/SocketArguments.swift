import Godwit

/// The arguments of `ws`.
struct SocketArguments: CommandArguments {
    static let usage = "ws URL"
    static let summary = "Connect to a WebSocket: send each input line as text, print each message on a line"

    var url = ""
    var fields: [RequestItem] = []
    var subprotocols: [String] = []
    var compresses = false
    /// How long the server may be silent after the end of the input; `nil` means no limit.
    var patience: Duration? = .seconds(1)
    var reportsAsJSON = false
    var timeouts = Timeouts()
    var access = ServerAccess()
    var wantsHelp = false

    mutating func take(_ words: [String]) throws(UsageError) {
        guard let address = words.first else { throw UsageError("the URL is missing") }
        guard words.count == 1 else { throw UsageError("more than one URL given") }
        url = Self.completed(address)
    }

    private static func completed(_ address: String) -> String {
        RequestArguments.handshake(of: address) ?? RequestArguments.completed(address)
    }

    static let options = [
        OptionGroup<Self>(title: "Connection", options: handshake),
        OptionGroup<Self>(title: "Input and output", options: output),
    ]

    private static let handshake: [Option<Self>] = [
        .value("-H", "--header", of: "'NAME: VALUE'", help: "Add a header field to the handshake; @FILE reads several")
        {
            arguments, text throws(UsageError) in
            arguments.fields += try FieldArgument.items(text)
        },
        .value("-s", "--subprotocol", of: "NAME", help: "Offer a subprotocol. Can be repeated") {
            $0.subprotocols.append($1)
        },
        .flag("--compress", help: "Offer to compress messages (permessage-deflate)") { $0.compresses = true },
        .seconds("--connect-timeout", help: "The time limit for connecting. Default: 30") { $0.timeouts.connect = $1 },
        ServerAccess.proxyOption.lifted(to: \.access), ServerAccess.socketOption.lifted(to: \.access),
        ServerAccess.authoritiesOption.lifted(to: \.access),
    ]

    private static let output: [Option<Self>] = [
        .flag("--listen", help: "After the end of the input, stay until the server closes") { $0.patience = nil },
        .seconds("--wait", help: "After the end of the input, close when no message arrives for this time. Default: 1")
        {
            $0.patience = $1
        },
        .flag("--json-output", help: "Print one JSON object per line for each message and for the end") {
            $0.reportsAsJSON = true
        },
        helpOption,
    ]
}
