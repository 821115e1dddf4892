import Godwit
import GodwitGenerator

/// The arguments of `generate`.
struct GenerateArguments: CommandArguments {
    /// Whether a package is written, or a folder of an existing one.
    enum Layout: String, Sendable, Hashable {
        case package, folder
    }

    enum Mode: String, Sendable, Hashable {
        case write, check, breaking
        case dryRun = "dry-run"
    }

    static let usage =
        "generate (--openapi FILE|URL | --sample SPEC… | --har FILE | --curl 'curl …'… | --graphql SCHEMA FILE…)"
    static let summary = "Write a Swift client for an API: models, endpoints, credentials, tests"

    static let notes: String? = """
        Samples:
        \(HelpText.line("  sightings.json", "An answer of GET /sightings; - is standard input"))\
        \(HelpText.line("  'GET /a => 1.json,2.json'", "Two answers of one operation"))\
        \(HelpText.line("  'POST /a < new.json => 201 a.json'", "The body of the request, the status and the answer"))\
        \(HelpText.line("  'GET https://…'", "An endpoint that is called once"))\
        Files that you edit are kept: docs/generate.md explains it.
        """

    var openAPI: String?
    /// The file of a GraphQL schema, and those of the operations.
    var graphQL: String?
    var documents: [String] = []
    /// The Swift types of custom scalars.
    var scalars: [String: String] = [:]
    var samples: [String] = []
    var har: String?
    var curl: [String] = []

    var name: String?
    var access: GeneratorOptions.Access?
    var only: [String] = []
    var makesScreens = false
    var guessesEnums = false
    var baseURL: String?

    var folder: String?
    var layout: Layout?
    var godwit: String?
    var mode = Mode.write
    var editedFiles = OutputFolder.EditedFiles.kept

    /// How documents and endpoints are fetched.
    var request = RequestArguments()
    var wantsHelp = false

    /// The samples as read from the command line.
    private(set) var references: [SampleReference] = []

    init() {
        request.method = .get
        request.timeouts.total = .seconds(120)
    }

    mutating func take(_ words: [String]) throws(UsageError) {
        documents = graphQL == nil ? [] : words
        if let word = words.first, graphQL == nil {
            let hint = har == nil && openAPI == nil ? "; name the source with --openapi, --sample, --har or --curl" : ""
            throw UsageError("unexpected argument \"\(TerminalText.escaped(word))\"\(hint)")
        }
        try checkSource()
        try checkNames()
        if layout == .folder, godwit != nil { throw UsageError("--godwit is for a package, and --folder writes none") }
        references = try samples.map { text throws(UsageError) in try Self.reference(text) }
        let sources =
            [openAPI, har, graphQL].compactMap(\.self) + documents
            + references.flatMap { $0.files + [$0.requestFile].compactMap(\.self) }
        if sources.count(where: { $0 == "-" }) > 1 { throw UsageError("standard input (-) can only be read once") }
        try request.nameSecuredHost(of: urls)
    }

    private func checkSource() throws(UsageError) {
        let given = [
            openAPI == nil ? nil : "--openapi", samples.isEmpty ? nil : "--sample", har == nil ? nil : "--har",
            curl.isEmpty ? nil : "--curl", graphQL == nil ? nil : "--graphql",
        ].compactMap(\.self)
        if given.isEmpty {
            throw UsageError("nothing to generate from: pass --openapi, --sample, --har, --curl or --graphql")
        }
        if given.count > 1 { throw UsageError("\(given[0]) and \(given[1]) can't be combined; choose one source") }
        if graphQL != nil {
            if documents.isEmpty { throw UsageError("--graphql needs the files with operations after the schema") }
            if folder == nil { throw UsageError("--graphql needs --into FOLDER, a folder of your target") }
            if layout == .package { throw UsageError("--graphql writes a folder of a target; remove --package") }
            if let option = optionsOfClients.first {
                throw UsageError("\(option) is for other sources than --graphql; remove it")
            }
        } else if !scalars.isEmpty {
            throw UsageError("--scalar is for --graphql")
        }
        if guessesEnums, openAPI != nil {
            throw UsageError("--guess-enums is for samples; a document says what is an enum")
        }
    }

    /// The given options that say something about a client, which isn't written for GraphQL.
    private var optionsOfClients: [String] {
        [
            name == nil ? nil : "--name", only.isEmpty ? nil : "--only", makesScreens ? "--screens" : nil,
            guessesEnums ? "--guess-enums" : nil, baseURL == nil ? nil : "--base-url", godwit == nil ? nil : "--godwit",
        ].compactMap(\.self)
    }

    private func checkNames() throws(UsageError) {
        if folder == "" { throw UsageError("--into needs a folder; the current one is .") }
        if godwit == "" { throw UsageError("--godwit needs the folder of the package") }
        if let name, !name.contains(where: { $0.isLetter }) || name.contains(where: { "/\\".contains($0) }) {
            throw UsageError("--name needs a name with letters, such as Museum")
        }
        if let baseURL, (try? HTTPURL(baseURL)) == nil {
            throw UsageError("--base-url needs a URL such as https://api.example.com/v1")
        }
    }

    private static func reference(_ text: String) throws(UsageError) -> SampleReference {
        let reference: SampleReference
        do throws(GenerationError) {
            reference = try Sample.parse(text)
        } catch {
            throw UsageError(error.reason)
        }
        if reference.isCalled, reference.method != "GET" || reference.requestFile != nil {
            throw UsageError("only GET is called; give the answer of the other as a file: 'POST URL => answer.json'")
        }
        return reference
    }

    /// The URLs on the command line.
    var urls: [String] {
        ([openAPI, graphQL].compactMap(\.self) + documents).filter(SourceReader.isURL)
            + references.filter(\.isCalled).compactMap(\.target)
    }
}

extension SampleReference {
    /// Whether the answer comes from the endpoint itself.
    var isCalled: Bool { target.map(SourceReader.isURL) == true && files.isEmpty && status == nil }
}
