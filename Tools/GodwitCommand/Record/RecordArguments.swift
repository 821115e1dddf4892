import Godwit

/// The arguments of `record`.
struct RecordArguments: CommandArguments {
    static let usage = "record --proxy [PORT] -o FILE.har"
    static let summary = "Run an HTTP proxy on loopback that records into a HAR file, for any program"

    static let notes: String? = """
        Set http_proxy to the URL that is printed. https passes through CONNECT unseen, and is not recorded.
        Secrets are left out of the file, as in logs.
        """

    var file = ""
    var port: UInt16 = 0
    var isProxy = false
    var existingFile = FileDestination.ExistingFile.kept
    var access = ServerAccess()
    var wantsHelp = false

    init() {
        // The environment may name this proxy.
        access.proxy = "none"
    }

    mutating func take(_ words: [String]) throws(UsageError) {
        guard isProxy else { throw UsageError("record needs --proxy") }
        guard !file.isEmpty else { throw UsageError("-o FILE.har is missing") }
        guard let word = words.first else { return }
        guard words.count == 1, let port = UInt16(word), port > 0 else {
            throw UsageError("\"\(TerminalText.escaped(word))\" is not a port from 1 to 65535")
        }
        self.port = port
    }

    static let options = [
        OptionGroup<Self>(
            title: "Recording",
            options: [
                .flag("--proxy", help: "Record as a proxy on 127.0.0.1, on the port that follows or a free one") {
                    $0.isProxy = true
                },
                .value("-o", "--output", of: "FILE", help: "The HAR file to write while recording") { $0.file = $1 },
                .flag("-f", "--force", help: "Replace an existing file") { $0.existingFile = .replaced },
                ServerAccess.authoritiesOption.lifted(to: \.access),
                helpOption,
            ])
    ]
}
