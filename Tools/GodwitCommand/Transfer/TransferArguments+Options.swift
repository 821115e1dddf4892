import Godwit

extension TransferArguments {
    /// The options of a command, as `--help` shows them.
    static func options(of verb: TransferVerb) -> [OptionGroup<Self>] {
        let own = verb == .download ? [downloads, request([])] : [uploads, request([RequestArguments.methodOption])]
        return own + [background, output, general]
    }

    private static let downloads = OptionGroup<Self>(
        title: "Files",
        options: [
            .value("-o", "--output", of: "FILE", help: "Write to FILE, which must not exist") {
                $0.destination = .file($1)
            },
            .flag("-O", "--remote-name", help: "Use the file name from the server or the URL (the default)") {
                if case .file = $0.destination { $0.destination = .folder(".") }
            },
            .value("--into", of: "DIR", help: "Write to this folder. Default: the current folder") {
                $0.destination = .folder($1)
            },
            .flag("--force", help: "Replace existing files once the new ones are complete") {
                $0.existingFile = .replace
            },
            .flag("--keep-both", help: "Name the new file 'name (2)' if the name exists") {
                $0.existingFile = .keepBoth
            },
            .flag(
                "--resume", help: "Continue an earlier download if the file has not changed; keep a complete file"
            ) { $0.leftover = .resume },
            .value("-C", "--continue-at", of: "-", help: "The same, for curl users") {
                arguments, text throws(UsageError) in
                guard text == "-" else { throw UsageError("-C takes only -; the offset is found automatically") }
                arguments.leftover = .resume
            },
            .value("--digest", of: "sha-256:HEX", help: "Discard the file and exit with 6 if its digest differs") {
                arguments, text throws(UsageError) in
                guard let digest = ContentDigest(text) else {
                    throw UsageError("--digest needs sha-256: and 64 hexadecimal digits")
                }
                arguments.digest = digest
            },
            .count("--parallel", in: 1...100, help: "Run up to N downloads at a time. Default: 3") { $0.parallel = $1 },
            .count(
                "--connections", in: 1...16,
                help: "Fetch a large file in N parts at a time, if the server supports ranges"
            ) { $0.connections = $1 },
        ])

    private static let uploads = OptionGroup<Self>(
        title: "File",
        options: [
            .flag(
                "--resume",
                help: "Use tus or HTTP's resumable uploads (POST), and continue an upload that was interrupted"
            ) { $0.leftover = .resume },
            .count(
                "--connections", in: 1...16,
                help: "With --resume: send the file in N parts at a time, if a tus server can join them"
            ) { $0.connections = $1 },
            .count(
                "--chunk-size", in: 1...1024, help: "With --resume: send up to N MiB in one request. Default: 8"
            ) { $0.chunkSize = $1 },
        ])

    private static func request(_ more: [Option<RequestArguments>]) -> OptionGroup<Self> {
        // A body that goes to a file is not cached, and the transfer itself decides which part of it to request.
        let own: Set = ["--retry", "--cache", "--range"]
        let shared = RequestArguments.fieldOptions + RequestArguments.loginOptions + RequestArguments.connection.options
        let options = more + shared.filter { own.isDisjoint(with: $0.names) }
        return OptionGroup(title: "Request", options: options.map { $0.lifted(to: \.request) } + [retry])
    }

    private static let retry = Option<Self>.count(
        "--retry", in: 0...1000, help: "Give up after N attempts in a row without progress. Default: 2"
    ) {
        $0.request.retries = $1
        $0.limitsRetries = true
    }

    private static let background = OptionGroup<Self>(
        title: "Background",
        options: [
            .flag("--background", help: "Add a background job, print its ID and exit; see: godwit transfers") {
                $0.isInBackground = true
            }
        ] + ([BackgroundArguments.discretionary] + BackgroundArguments.queueOptions).map { $0.lifted(to: \.background) }
    )

    private static let output = OptionGroup<Self>(
        title: "Output",
        options: [
            .flag("--json-output", help: "Print one JSON object per line for each finished file") {
                $0.request.reportsAsJSON = true
            },
            .flag("-q", "--quiet", help: "Print no paths and no progress, only errors") { $0.request.isQuiet = true },
        ])

    private static let general = OptionGroup<Self>(
        title: RequestArguments.general.title,
        options: RequestArguments.general.options.map { $0.lifted(to: \.request) })
}
