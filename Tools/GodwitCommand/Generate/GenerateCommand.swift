import Godwit
import GodwitGenerator

/// Generates a client and writes it, or tells what would be written.
struct GenerateCommand {
    let arguments: GenerateArguments
    let command: Command

    func run() async throws(CommandFailure) -> ExitCode {
        let reader = SourceReader(arguments.request, for: arguments.urls.first, of: command)
        if let schema = arguments.graphQL, let folder = arguments.folder {
            return try await write(try await operations(schema, reader), into: try OutputPlace(folder, asked: .folder))
        }
        var loader = ReferenceLoader(try await input(reader))
        let (generation, place) = try await generation(&loader, reader)
        return try await write(generation, into: place)
    }

    private func operations(_ schema: String, _ reader: SourceReader) async throws(CommandFailure) -> Generation {
        let schema = try await reader.read(schema)
        var documents: [SourceFile] = []
        for document in arguments.documents { documents.append(try await reader.read(document)) }
        let generator = GraphQLGenerator(
            access: arguments.access ?? .internal, scalars: arguments.scalars,
            command: arguments.repetition(.folder))
        return try CommandFailure.generation { () throws(GenerationError) in
            try generator.generate(schema: schema, documents: documents)
        }
    }

    private func write(_ generation: Generation, into place: OutputPlace) async throws(CommandFailure) -> ExitCode {
        let output = OutputFolder(place.folder, editedFiles: arguments.editedFiles)
        let changes = try CommandFailure.generation { () throws(GenerationError) in
            let changes = try output.changes(for: generation.files)
            if arguments.mode == .write { try output.apply(changes) }
            return changes
        }
        let report = GenerationReport(folder: place.folder, changes: changes, generation: generation)
        switch arguments.mode {
        case .write:
            try await command.print(report.written)
            return .success
        case .check, .dryRun:
            try await command.print(report.planned)
            return arguments.mode == .check && !changes.isEmpty ? .outdated : .success
        case .breaking:
            let sentences = changes.breakingChanges
            try await command.print(report.breaking(sentences))
            return sentences.isEmpty ? .success : .outdated
        }
    }

    private func input(_ reader: SourceReader) async throws(CommandFailure) -> GeneratorInput {
        if let document = arguments.openAPI { return .openAPI(try await reader.read(document)) }
        if let archive = arguments.har { return .har(try await reader.read(archive)) }
        if !arguments.curl.isEmpty { return .curl(arguments.curl) }
        var samples: [Sample] = []
        for reference in arguments.references { samples += try await reader.samples(reference) }
        return .samples(samples)
    }

    /// The folder can be named after the API, whose name the document says; and what the folder is decides the layout. So a
    /// folder of a package without `--into` takes a second run.
    private func generation(
        _ loader: inout ReferenceLoader, _ reader: SourceReader
    ) async throws(CommandFailure) -> (Generation, OutputPlace) {
        let place = try arguments.folder.map { folder throws(CommandFailure) in
            try OutputPlace(folder, asked: arguments.layout)
        }
        let layout = place?.layout ?? arguments.layout ?? .package
        let first = try await loader.generation(Generator(options(for: layout)), reader)
        if let place { return (first, place) }
        guard first.name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
            throw .usage(UsageError("the API has no usable name; name the folder with --into", command: "generate"))
        }
        let found = try OutputPlace(first.name, asked: arguments.layout)
        if found.layout == layout { return (first, found) }
        return (try await loader.generation(Generator(options(for: found.layout)), reader), found)
    }

    private func options(for layout: GenerateArguments.Layout) -> GeneratorOptions {
        var options = GeneratorOptions()
        options.name = arguments.name
        options.access = arguments.access ?? (layout == .package ? .public : .internal)
        options.makesScreens = arguments.makesScreens
        options.only = arguments.only
        options.guessesEnums = arguments.guessesEnums
        options.baseURL = arguments.baseURL
        options.command = arguments.repetition(layout)
        switch layout {
        case .package: options.layout = .package(godwit: arguments.godwit.map { .path($0) } ?? .release)
        case .folder: options.layout = .folder
        }
        return options
    }
}
