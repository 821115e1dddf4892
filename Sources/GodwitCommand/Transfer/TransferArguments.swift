import Godwit

/// What the command line of a download or upload says.
struct TransferArguments: Sendable {
    /// Where downloads go.
    enum Destination: Sendable, Hashable {
        case file(String)
        case folder(String)
    }

    let verb: TransferVerb
    /// What is said about the requests.
    var request = RequestArguments()
    var urls: [String] = []
    /// What is uploaded.
    var file = ""

    var destination = Destination.folder(".")
    var existingFile = DownloadOptions.ExistingFile.fail
    var leftover = DownloadOptions.Leftover.discard
    var digest: ContentDigest?
    /// How many downloads run at once; nil for the usual number.
    var parallel: Int?
    /// How many parts of one file are fetched at once.
    var connections = 1
    /// Whether `--retry` was given.
    var limitsRetries = false
    /// Whether another process does it.
    var isInBackground = false
    var background = BackgroundArguments()

    init(parsing line: ArraySlice<String>, verb: TransferVerb) throws(UsageError) {
        self.verb = verb
        request.retries = 2
        var parser = OptionParser(Self.options(of: verb))
        var words = try parser.parse(line, into: &self)[...]
        if request.wantsHelp { return }
        if verb == .upload {
            guard let file = words.popFirst() else { throw UsageError("a file is missing") }
            self.file = file
        }
        for word in words { urls += try Self.addresses(word) }
        try check()
        // To resume what is complete already is a success.
        if verb == .download, leftover == .resume, existingFile == .fail { existingFile = .keepIfComplete }
        try request.nameSecuredHost(of: urls)
    }

    /// Where downloads go, as the library has it.
    var destinationURL: URL {
        switch destination {
        case .file(let path): URL(filePath: path, directoryHint: .notDirectory)
        case .folder(let path): URL(filePath: path, directoryHint: .isDirectory)
        }
    }

    /// A URL, or `@FILE` with one on each line.
    private static func addresses(_ word: String) throws(UsageError) -> [String] {
        guard word.hasPrefix("@") else { return [RequestArguments.completed(word)] }
        do throws(CommandFailure) {
            let lines = try SmallFile.text(String(word.dropFirst())).split(whereSeparator: \.isNewline)
            return lines.filter { !$0.allSatisfy(\.isWhitespace) }.map { RequestArguments.completed(String($0)) }
        } catch {
            throw UsageError(error.message ?? "the file cannot be read")
        }
    }

    private func check() throws(UsageError) {
        if urls.isEmpty { throw UsageError("a URL is missing") }
        if isInBackground {
            try checkBackground()
        } else if background.isDiscretionary {
            throw UsageError("--discretionary goes with --background")
        }
        guard urls.count > 1 else { return }
        if verb == .upload { throw UsageError("a file is sent to one URL") }
        if case .file = destination { throw UsageError("-o names one file; for several URLs use --into DIR") }
        if digest != nil { throw UsageError("--digest is that of one file, but there are several URLs") }
    }

    /// What only this process could do must not silently be left out.
    private func checkBackground() throws(UsageError) {
        let left: [(String, Bool)] = [
            ("--proxy", request.access.proxy != nil), ("--unix-socket", request.access.unixSocketPath != nil),
            ("--http1", request.access.onlyHTTP1), ("--cookie-jar", request.cookieJar != nil),
            ("--retry", limitsRetries), ("--parallel", parallel != nil), ("--verbose", request.isVerbose),
            ("--timing", request.showsTiming), ("--har", request.archive != nil),
            ("-H without a value", request.items.contains { if case .removal = $0 { true } else { false } }),
            ("--client-secret-file", request.clientSecret.file != nil && request.tokenFile == nil),
        ]
        if let (option, _) = left.first(where: \.1) { throw UsageError("\(option) does not go with --background") }
        if file == "-" { throw UsageError("in the background a file is sent, not standard input") }
    }
}

/// A command that moves files.
enum TransferVerb: String, CaseIterable {
    case download, upload

    var name: String { rawValue }

    var usage: String {
        switch self {
        case .download: "URL…"
        case .upload: "FILE URL"
        }
    }

    var summary: String {
        switch self {
        case .download: "downloads into files, several at once; goes on where a connection broke"
        case .upload: "sends a file, by PUT unless -X says otherwise; - reads standard input"
        }
    }
}
