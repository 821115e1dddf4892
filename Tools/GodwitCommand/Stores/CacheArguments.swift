import Godwit

/// The arguments of `cache`.
struct CacheArguments: CommandArguments {
    static let usage = "cache DIR [URL]"
    static let summary = "Show or remove the responses that --cache DIR has stored"
    static let notes: String? = """
        Each line has the status, the size, the age, and for how long the response is fresh or has been stale.

        """

    var folder = ""
    var url: HTTPURL?
    var removes = false
    var reportsAsJSON = false
    var wantsHelp = false

    mutating func take(_ words: [String]) throws(UsageError) {
        guard let word = words.first else { throw UsageError("the folder is missing") }
        guard words.count <= 2 else { throw UsageError("more than one URL given") }
        folder = word
        if words.count == 2 { url = try CookieArguments.url(words[1]) }
    }

    static let options = [
        OptionGroup<Self>(
            title: "Cache",
            options: [
                .flag("--clear", help: "Remove all responses, or those of the URL") { $0.removes = true },
                .flag("--json-output", help: "Print one JSON object per line") { $0.reportsAsJSON = true }, helpOption,
            ])
    ]
}
