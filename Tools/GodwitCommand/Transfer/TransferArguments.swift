import Godwit
import GodwitSupport

/// The arguments of `download` and `upload`.
struct TransferArguments: Sendable {
    enum Destination: Sendable, Hashable {
        case file(String)
        case folder(String)
    }

    let verb: TransferVerb
    var request = RequestArguments()
    var urls: [String] = []
    /// The file to upload.
    var file = ""

    var destination = Destination.folder(".")
    var existingFile = DownloadOptions.ExistingFile.fail
    var leftover = DownloadOptions.Leftover.discard
    var digest: ContentDigest?
    /// Maximum downloads at a time; `nil` means the default.
    var parallel: Int?
    /// Maximum parts of one file at a time.
    var connections = 1
    /// Maximum size of a request of a resumable upload in MiB; `nil` means the default.
    var chunkSize: Int?
    /// Whether `--retry` was passed.
    var limitsRetries = false
    /// Whether the transfer becomes a background job.
    var isInBackground = false
    var background = BackgroundArguments()

    init(parsing line: ArraySlice<String>, verb: TransferVerb) throws(UsageError) {
        self.verb = verb
        request.retries = 2
        var parser = OptionParser(Self.options(of: verb))
        var words = try parser.parse(line, into: &self)[...]
        if request.wantsHelp { return }
        if verb == .upload {
            guard let file = words.popFirst() else { throw UsageError("the file is missing") }
            try Self.checkOrder(file, words.first)
            self.file = file
        }
        for word in words { urls += try Self.addresses(word) }
        try check()
        // Resuming a complete file is a success.
        if verb == .download, leftover == .resume, existingFile == .fail { existingFile = .keepIfComplete }
        try request.nameSecuredHost(of: urls)
    }

    /// A request whose body goes to a file that the server names.
    init(downloadOf request: RequestArguments) throws(UsageError) {
        verb = .download
        guard request.method ?? .get == .get, !request.hasBody else {
            throw UsageError("-J needs a GET without a body")
        }
        self.request = request
        urls = [request.url]
        existingFile = request.existingFile == .replaced ? .replace : .fail
    }

    var destinationURL: URL {
        switch destination {
        case .file(let path): URL(filePath: path, directoryHint: .notDirectory)
        case .folder(let path): URL(filePath: path, directoryHint: .isDirectory)
        }
    }

    /// With curl, the URL may come first.
    private static func checkOrder(_ file: String, _ address: String?) throws(UsageError) {
        let isURL = ["http://", "https://"].contains { file.lowercased().hasPrefix($0) }
        let isExchanged = address.map { FileKind(at: file) == .absent && FileKind(at: $0) == .regular } ?? false
        if isURL || isExchanged { throw UsageError("the file comes first: godwit upload FILE URL") }
    }

    /// A URL, or `@FILE` with one on each line.
    private static func addresses(_ word: String) throws(UsageError) -> [String] {
        guard word.hasPrefix("@") else { return [RequestArguments.completed(word)] }
        return try SmallFile.lines(String(word.dropFirst())).map { RequestArguments.completed($0) }
    }

    private func check() throws(UsageError) {
        if urls.isEmpty { throw UsageError("the URL is missing") }
        if isInBackground {
            try checkBackground()
        } else if background.isDiscretionary {
            throw UsageError("--discretionary needs --background")
        }
        if verb == .upload { try checkUpload() }
        guard urls.count > 1 else { return }
        if request.session != nil, Set(urls.map { (try? HTTPURL($0))?.origin }).count > 1 {
            throw UsageError("--session is for one host; the URLs name several")
        }
        if verb == .upload { throw UsageError("a file can be uploaded to only one URL") }
        if case .file = destination { throw UsageError("-o names one file; for several URLs use --into DIR") }
        if digest != nil { throw UsageError("--digest applies to one file; pass only one URL") }
    }

    private func checkUpload() throws(UsageError) {
        guard leftover == .resume else {
            if connections > 1 { throw UsageError("--connections needs --resume") }
            if chunkSize != nil { throw UsageError("--chunk-size needs --resume") }
            return
        }
        if file == "-" { throw UsageError("--resume needs a file; standard input can't be read again") }
        if isInBackground { throw UsageError("--resume can't be combined with --background") }
    }

    /// Options that only this process supports must not be ignored silently.
    private func checkBackground() throws(UsageError) {
        let unsupported: [(String, Bool)] = [
            ("--proxy", request.access.proxy != nil), ("--unix-socket", request.access.unixSocketPath != nil),
            ("--http1", request.access.onlyHTTP1), ("--cookie-jar", request.cookieJar != nil),
            ("--session", request.session != nil), ("--hsts", request.hsts != nil),
            ("--retry", limitsRetries), ("--parallel", parallel != nil), ("--verbose", request.isVerbose),
            ("--timing", request.showsTiming), ("--har", request.archive != nil),
            ("-H without a value", request.items.contains { if case .removal = $0 { true } else { false } }),
            ("--client-secret-file", request.clientSecret.file != nil && request.tokenFile == nil),
        ]
        if let (option, _) = unsupported.first(where: \.1) {
            throw UsageError("\(option) can't be combined with --background")
        }
        if file == "-" { throw UsageError("a background upload needs a file; standard input is not supported") }
    }
}

/// A command that transfers files.
enum TransferVerb: String, CaseIterable {
    case download, upload

    var usage: String {
        switch self {
        case .download: "URL…"
        case .upload: "FILE URL"
        }
    }

    var summary: String {
        switch self {
        case .download: "Download to files, several at a time, and continue after a lost connection"
        case .upload: "Upload a file with PUT or the method of -X. FILE - is standard input"
        }
    }
}
