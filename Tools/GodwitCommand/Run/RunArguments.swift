import Godwit

/// The arguments of `run`.
struct RunArguments: CommandArguments {
    static let usage = "run FILE…"
    static let summary = "Send the requests in files, in Hurl's format, and check their responses"
    static let notes: String? =
        "The format: docs/checks.md. - is standard input. All files are parsed before the first request is sent."

    /// What the requests have in common.
    var request = RequestArguments()
    var files: [String] = []
    var variables: [String: CheckValue] = [:]
    var variableFiles: [String] = []
    /// Names of variables whose values are hidden; `nil` values come from the environment.
    var secrets: [(name: String, value: String?)] = []
    var retryInterval = Duration.seconds(1)
    var fileRoot: String?
    var jobs = 1
    var continuesOnError = false
    var junit: String?
    var json: String?

    var wantsHelp: Bool {
        get { request.wantsHelp }
        set { request.wantsHelp = newValue }
    }

    init() {
        // As in Hurl: a file says what each redirect must be.
        request.redirects = .block
    }

    mutating func take(_ words: [String]) throws(UsageError) {
        guard !words.isEmpty else { throw UsageError("the file is missing") }
        files = words
    }
}

extension RunArguments {
    static let options = [run, values, reports, connection, general]

    private static let run = OptionGroup<Self>(
        title: "Run",
        options: [
            .flag("--parallel", help: "Run up to 4 files at a time; the requests of a file are always in order") {
                $0.jobs = max($0.jobs, 4)
            },
            .count("--jobs", in: 1...100, help: "Run up to N files at a time") { $0.jobs = $1 },
            .count("--retry", in: 0...EntryOptions.countLimit, help: "Send a request that fails up to N times more") {
                $0.request.retries = $1
            },
            .value("--retry-interval", of: "TIME", help: "The pause before a retry: 500ms or 2s. Default: 1s") {
                arguments, text throws(UsageError) in
                do throws(CheckFault) {
                    arguments.retryInterval = try EntryOptions.duration(text)
                } catch {
                    throw UsageError("--retry-interval: \(error.message)")
                }
            },
            .flag("--continue-on-error", help: "Send the other requests of a file after one fails") {
                $0.continuesOnError = true
            },
            .value("--file-root", of: "DIR", help: "Read bodies below this folder. Default: the folder of each file") {
                $0.fileRoot = $1
            },
            .flag("--test", help: "Print a summary (the default), for Hurl users") { _ in },
        ])

    private static let values = OptionGroup<Self>(
        title: "Variables",
        options: [
            .value("--variable", of: "NAME=VALUE", help: "Set a variable; numbers, true, false and null are typed") {
                arguments, text throws(UsageError) in
                let (name, value) = try variable(text, of: "--variable")
                arguments.variables[name] = value
            },
            .value("--variables-file", of: "FILE", help: "Set a variable with each line NAME=VALUE of a file") {
                $0.variableFiles.append($1)
            },
            .value(
                "--secret", of: "NAME[=VALUE]",
                help: "Set a variable, and hide its value in all output. Without a value: from the environment"
            ) { arguments, text throws(UsageError) in
                let pair = text.contains("=") ? text : "\(text)="
                let name = try variable(pair, of: "--secret").0
                let value = text.firstIndex(of: "=").map { String(text[text.index(after: $0)...]) }
                arguments.secrets.append((name, value))
            },
        ])

    private static func variable(_ text: String, of option: String) throws(UsageError) -> (String, CheckValue) {
        do throws(CheckFault) {
            return try EntryOptions.variable(text)
        } catch {
            throw UsageError("\(option): \(error.message)")
        }
    }

    private static let reports = OptionGroup<Self>(
        title: "Reports",
        options: [
            .value("--report-junit", of: "FILE", help: "Write the results as JUnit XML") { $0.junit = $1 },
            .value("--report-json", of: "FILE", help: "Write the results as JSON") { $0.json = $1 },
        ])

    private static let connection = OptionGroup<Self>(
        title: "Connection",
        options: RequestArguments.connection.options
            .filter { option in
                !["--retry", "--cache", "--no-follow", "--location"].contains(where: option.names.contains)
            }
            .map { $0.lifted(to: \.request) }
            + [.flag("-L", "--location", help: "Follow redirects. Default: no") { $0.request.redirects = .follow }])

    private static let general = OptionGroup<Self>(
        title: "Diagnostics, on standard error",
        options: RequestArguments.general.options.filter { option in
            !["--har", "--timing"].contains(where: option.names.contains)
        }.map { $0.lifted(to: \.request) })
}
