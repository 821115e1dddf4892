import Godwit
import GodwitGenerator

extension GenerateArguments {
    static let options = [sources, content, output, fetching, general]

    private static let sources = OptionGroup<Self>(
        title: "Source, of one kind",
        options: [
            .value(
                "--openapi", of: "FILE|URL",
                help: "An OpenAPI document (3.0 or later, JSON or YAML); - is standard input"
            ) {
                arguments, text throws(UsageError) in
                if arguments.openAPI != nil { throw UsageError("--openapi is given twice; one document is read") }
                arguments.openAPI = text
            },
            .value("--sample", of: "SPEC", help: "An answer of the API, or an endpoint to call. Can be repeated") {
                $0.samples.append($1)
            },
            .value("--har", of: "FILE", help: "An HTTP archive of a browser or proxy") {
                arguments, text throws(UsageError) in
                if arguments.har != nil { throw UsageError("--har is given twice; one archive is read") }
                arguments.har = text
            },
            .value("--curl", of: "'curl …'", help: "A curl command as others share it. Can be repeated") {
                $0.curl.append($1)
            },
            .value("--graphql", of: "SCHEMA", help: "A GraphQL schema (SDL); files with operations follow") {
                arguments, text throws(UsageError) in
                if arguments.graphQL != nil { throw UsageError("--graphql is given twice; one schema is read") }
                arguments.graphQL = text
            },
            .value("--scalar", of: "NAME=TYPE", help: "For --graphql: the Swift type of a scalar, such as Moment=Date")
            {
                arguments, text throws(UsageError) in
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let isType = { (name: String) in
                    name.first?.isLetter == true
                        && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_.".contains($0)) }
                }
                guard parts.count == 2, parts.allSatisfy(isType) else {
                    throw UsageError("--scalar needs NAME=TYPE such as Moment=Date, not \"\(text)\"")
                }
                arguments.scalars[parts[0]] = parts[1]
            },
        ])

    private static let content = OptionGroup<Self>(
        title: "What is generated",
        options: [
            .value("--name", of: "NAME", help: "The name of the API in Swift. Default: the document's title") {
                $0.name = $1
            },
            .value("--access", of: "public|internal", help: "Default: public in a package, internal in a folder") {
                arguments, text throws(UsageError) in
                guard let access = GeneratorOptions.Access(rawValue: text) else {
                    let names = GeneratorOptions.Access.allCases.map(\.rawValue)
                    throw UsageError("--access needs public or internal\(Suggestion.text(for: text, among: names))")
                }
                arguments.access = access
            },
            .value("--only", of: "LIST", help: "Only these tags and operations, separated by commas. Can be repeated") {
                arguments, text throws(UsageError) in
                let names = text.split(separator: ",").map(trimmed).filter { !$0.isEmpty }
                if names.isEmpty { throw UsageError("--only needs tags or operations, separated by commas") }
                arguments.only += names
            },
            .flag("--screens", help: "Also write a loader and a SwiftUI view for each list and detail") {
                $0.makesScreens = true
            },
            .flag("--guess-enums", help: "Make an enum of texts of which the samples have few different ones") {
                $0.guessesEnums = true
            },
            .value("--base-url", of: "URL", help: "The URL of the API. Default: the document's servers") {
                $0.baseURL = $1
            },
        ])

    /// Tags can have spaces inside.
    private static func trimmed(_ name: Substring) -> String {
        let start = name.drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }

    private static let output = OptionGroup<Self>(
        title: "Output",
        options: [
            .value("--into", of: "FOLDER", help: "Default: a folder in the current one with the name of the API") {
                $0.folder = $1
            },
            layoutOption(.package, help: "Write a Swift package. Default, unless FOLDER is part of something else"),
            layoutOption(.folder, help: "Write sources alone. Default if FOLDER is below the Sources of a package"),
            .value("--godwit", of: "PATH", help: "The package depends on Godwit in this folder") { $0.godwit = $1 },
            .flag("--force", help: "Replace generated files that were edited too") { $0.editedFiles = .overwritten },
            modeOption(.check, help: "Write nothing. Exit with 1 if a file would change"),
            modeOption(.breaking, help: "Write nothing. Print what callers must change, and exit with 1 if anything"),
            modeOption(.dryRun, help: "Write nothing. Print what would change"),
        ])

    private static func layoutOption(_ layout: Layout, help: String) -> Option<Self> {
        .flag("--\(layout.rawValue)", help: help) { arguments throws(UsageError) in
            if let other = arguments.layout, other != layout {
                throw UsageError("--package and --folder can't be combined")
            }
            arguments.layout = layout
        }
    }

    private static func modeOption(_ mode: Mode, help: String) -> Option<Self> {
        .flag("--\(mode.rawValue)", help: help) { arguments throws(UsageError) in
            let modes: Set = [arguments.mode, mode]
            if modes.contains(.dryRun), !modes.isSubset(of: [.write, .dryRun]) {
                throw UsageError("--dry-run can't be combined with --check or --breaking, which also write nothing")
            }
            // What breaks callers is a part of what changes.
            arguments.mode = modes.contains(.breaking) ? .breaking : mode
        }
    }

    private static let fetching: OptionGroup<Self> = {
        let wanted: Set = ["--connect-timeout", "--proxy", "--cacert", "--pin", "--cert", "--key", "--insecure"]
        let connection = RequestArguments.connection.options.filter { !wanted.isDisjoint(with: $0.names) }
        let shared = RequestArguments.fieldOptions + RequestArguments.loginOptions + connection
        return OptionGroup(
            title: "Documents and endpoints that are fetched",
            options: [timeout] + shared.map { $0.lifted(to: \.request) })
    }()

    private static let timeout = Option<Self>.seconds(
        "-m", "--timeout", "--max-time", help: "The time limit for each of them. Default: 120"
    ) { $0.request.timeouts.total = $1 }

    private static let general = OptionGroup<Self>(title: "Help", options: [helpOption])
}
