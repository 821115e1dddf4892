import Godwit

/// What the command line of `transfers` says.
struct JobsArguments: Sendable {
    /// What is to be done with jobs.
    enum Action: String, CaseIterable, Sendable {
        case list, follow, pause, resume, cancel
    }

    static let usage = "list|follow|pause|resume|cancel [ID…]"
    static let summary = "shows background jobs, waits for them, or changes them"

    var action = Action.list
    /// The beginnings of the ids of jobs.
    var jobs: [String] = []
    var background = BackgroundArguments()
    var reportsAsJSON = false
    var wantsHelp = false

    init(parsing line: ArraySlice<String>) throws(UsageError) {
        var parser = OptionParser(Self.options)
        var words = try parser.parse(line, into: &self)[...]
        if wantsHelp { return }
        if let word = words.popFirst() {
            guard let action = Action(rawValue: word) else {
                throw UsageError("\"\(word)\" is nothing to do with jobs")
            }
            self.action = action
        }
        jobs = words.map { $0.lowercased() }
        let takesJobs = ![.list, .follow].contains(action)
        if takesJobs == jobs.isEmpty {
            throw UsageError(takesJobs ? "the id of a job is missing" : "\(action.rawValue) takes no id")
        }
    }

    /// The options, as `--help` shows them.
    static let options = [
        OptionGroup<Self>(
            title: "Jobs",
            options: BackgroundArguments.places.map { $0.lifted(to: \.background) } + [
                .flag("--json-output", help: "writes one JSON object a line for each job or event") {
                    $0.reportsAsJSON = true
                },
                .flag("-h", "--help", help: "shows this") { $0.wantsHelp = true },
            ])
    ]
}
