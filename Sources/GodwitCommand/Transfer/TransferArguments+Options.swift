import Godwit

extension TransferArguments {
    /// The options of a command, as `--help` shows them.
    static func options(of verb: TransferVerb) -> [OptionGroup<Self>] {
        let own = verb == .download ? [downloads, request([])] : [request([.methodOption])]
        return own + [background, output, general]
    }

    private static let downloads = OptionGroup<Self>(
        title: "Files",
        options: [
            .value("-o", "--output", of: "FILE", help: "the file to write, which must not exist") { arguments, text in
                arguments.destination = .file(text)
            },
            .flag("-O", "--remote-name", help: "names files as the server or the URL does, as is the default") {
                if case .file = $0.destination { $0.destination = .folder(".") }
            },
            .value("--into", of: "DIR", help: "the folder to write to; this one by default") { arguments, text in
                arguments.destination = .folder(text)
            },
            .flag("--force", help: "replaces files that exist, once the new ones are complete") {
                $0.existingFile = .replace
            },
            .flag("--keep-both", help: "calls a new file 'name (2)' where its name is taken") {
                $0.existingFile = .keepBoth
            },
            .flag(
                "--resume",
                help: "completes what an earlier run has left, if it still fits; a complete file is left alone"
            ) {
                $0.leftover = .resume
            },
            .value("-C", "--continue-at", of: "-", help: "the same, as curl spells it") {
                arguments, text throws(UsageError) in
                guard text == "-" else { throw UsageError("-C takes - only: where to go on is found out") }
                arguments.leftover = .resume
            },
            .value("--digest", of: "sha-256:HEX", help: "throws another content away, and ends with 6") {
                arguments, text throws(UsageError) in
                guard let digest = ContentDigest(text) else {
                    throw UsageError("--digest needs sha-256: and 64 digits")
                }
                arguments.digest = digest
            },
            .value("--parallel", of: "N", help: "how many run at once; 3 by default") {
                arguments, text throws(UsageError) in
                guard let count = Int(text), (1...100).contains(count) else {
                    throw UsageError("--parallel needs a number from 1 to 100")
                }
                arguments.parallel = count
            },
            .value(
                "--connections", of: "N", help: "fetches a large file in parts, N at once, where the server gives them"
            ) {
                arguments, text throws(UsageError) in
                guard let count = Int(text), (1...16).contains(count) else {
                    throw UsageError("--connections needs a number from 1 to 16")
                }
                arguments.connections = count
            },
        ])

    private static func request(_ more: [Option<RequestArguments>]) -> OptionGroup<Self> {
        // Content that goes to a file passes by the cache.
        let own: Set = ["--retry", "--cache"]
        let shared = RequestArguments.connection.options.filter { own.isDisjoint(with: $0.names) }
        let options = more + RequestArguments.fieldOptions + RequestArguments.loginOptions + shared
        return OptionGroup(title: "Request", options: options.map { $0.lifted(to: \.request) } + [retry])
    }

    private static let retry = Option<Self>.value(
        "--retry", of: "N", help: "goes on up to N times in a row without getting further; 2 by default"
    ) { arguments, text throws(UsageError) in
        guard let count = Int(text), (0...1000).contains(count) else {
            throw UsageError("--retry needs a number from 0 to 1000")
        }
        arguments.request.retries = count
        arguments.limitsRetries = true
    }

    private static let background = OptionGroup<Self>(
        title: "In the background",
        options: [
            .flag("--background", help: "hands it over, writes the job's id and ends; see: godwit transfers") {
                $0.isInBackground = true
            }
        ] + ([BackgroundArguments.discretionary] + BackgroundArguments.places).map { $0.lifted(to: \.background) })

    private static let output = OptionGroup<Self>(
        title: "Output",
        options: [
            .flag("--json-output", help: "writes one JSON object a line for each file that is done") {
                $0.request.reportsAsJSON = true
            },
            .flag("-q", "--quiet", help: "writes no paths and draws no progress; errors remain") {
                $0.request.isQuiet = true
            },
        ])

    private static let general = OptionGroup<Self>(
        title: RequestArguments.general.title,
        options: RequestArguments.general.options.map { $0.lifted(to: \.request) })
}

extension Option where Arguments == RequestArguments {
    fileprivate static var methodOption: Self { RequestArguments.methodOption }
}
