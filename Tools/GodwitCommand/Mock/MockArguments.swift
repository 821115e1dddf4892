import Godwit

/// The arguments of `mock`.
struct MockArguments: CommandArguments {
    static let usage = "mock FILE"
    static let summary = "Serve a HAR file, an OpenAPI document or a file of routes on loopback, and follow its changes"

    static let notes: String? = """
        A file of routes:
          {"routes": [
            {"method": "GET", "path": "/articles/:id", "reply": {"json": {"id": 1}, "delay": 0.2}},
            {"path": "/flaky", "replies": [{"status": 503, "times": 2}, {"text": "at last"}]},
            {"path": "/cut", "reply": {"file": "big.bin", "fault": {"drop": 1000}}}
          ]}
        docs/testing.md lists all members.
        """

    var file = ""
    var port: UInt16 = 0
    var isSecure = false
    /// Where to write the authority of the certificate.
    var authority: String?
    /// The host whose exchanges are served; `nil` means all.
    var host: String?
    /// Where the requests are shown.
    var page = Page.own
    var wantsHelp = false

    enum Page: Sendable {
        /// A page of the command itself.
        case own
        case none
    }

    mutating func take(_ words: [String]) throws(UsageError) {
        guard let word = words.first else { throw UsageError("the file is missing") }
        guard words.count == 1 else { throw UsageError("more than one file given") }
        if authority != nil, !isSecure { throw UsageError("--authority needs --tls") }
        file = word
    }

    static let options = [
        OptionGroup<Self>(
            title: "Server",
            options: [
                .count("-p", "--port", in: 1...65_535, help: "The port on 127.0.0.1. Default: a free one") {
                    $0.port = UInt16(clamping: $1)
                },
                .flag("--tls", help: "Serve https, with a certificate that is made on the spot") { $0.isSecure = true },
                .value("--authority", of: "FILE", help: "With --tls, write the authority to trust (PEM)") {
                    $0.authority = $1
                },
                .value("--host", of: "HOST", help: "Serve only what was recorded from this host. Default: all hosts") {
                    $0.host = $1
                },
                .flag("--no-page", help: "Don't serve the page that shows requests and responses") { $0.page = .none },
                helpOption,
            ])
    ]
}
