import Godwit

/// The arguments of `inspect`.
struct InspectArguments: CommandArguments {
    static let usage = "inspect"
    static let summary = "Serve a page on this machine that shows the traffic of programs, live"
    static let notes: String? = """
        Programs find the page if their client has $0.inspector = .local, or if they are debug builds and run with
        GODWIT_INSPECT=1. It ends with Ctrl-C.

        """

    /// 0 for a free port.
    var port: UInt16 = 0
    var opensBrowser = false
    var wantsHelp = false

    mutating func take(_ words: [String]) throws(UsageError) {
        guard words.isEmpty else { throw UsageError("inspect takes no URL; programs send to the page themselves") }
    }

    static let options = [
        OptionGroup<Self>(
            title: "Page",
            options: [
                .value("--port", of: "PORT", help: "Listen on this port of 127.0.0.1. A free one by default") {
                    arguments, text throws(UsageError) in
                    guard let port = UInt16(text), port > 0 else { throw UsageError("--port is not from 1 to 65535") }
                    arguments.port = port
                },
                .flag("--open", help: "Open the page in the browser") { $0.opensBrowser = true }, helpOption,
            ])
    ]
}
