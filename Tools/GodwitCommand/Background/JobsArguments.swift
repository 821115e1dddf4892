import Godwit

/// The arguments of `transfers`.
struct JobsArguments: CommandArguments {
    enum Action: String, CaseIterable, Sendable {
        case list, follow, pause, resume, cancel
    }

    static let usage = "transfers list|follow|pause|resume|cancel [ID…]"
    static let summary = "List, follow or change background jobs"
    static let notes: String? = """
        An ID is the beginning of an ID that list shows. follow prints each job that ends and then removes it from the queue. It
        exits when all remaining jobs are paused.
        """

    var action = Action.list
    /// Prefixes of job IDs.
    var jobs: [String] = []
    var background = BackgroundArguments()
    var reportsAsJSON = false
    var wantsHelp = false

    mutating func take(_ words: [String]) throws(UsageError) {
        if let word = words.first {
            guard let action = Action(rawValue: word) else {
                let hint = Suggestion.text(for: word, among: Action.allCases.map(\.rawValue))
                throw UsageError("unknown action \"\(word)\"\(hint)")
            }
            self.action = action
        }
        jobs = words.dropFirst().map { $0.lowercased() }
        let takesJobs = ![.list, .follow].contains(action)
        if takesJobs == jobs.isEmpty {
            throw UsageError(takesJobs ? "\(action.rawValue) needs the ID of a job" : "\(action.rawValue) takes no ID")
        }
    }

    static let options = [
        OptionGroup<Self>(
            title: "Jobs",
            options: BackgroundArguments.queueOptions.map { $0.lifted(to: \.background) } + [
                .flag("--json-output", help: "Print one JSON object per line for each job or event") {
                    $0.reportsAsJSON = true
                },
                helpOption,
            ])
    ]
}
