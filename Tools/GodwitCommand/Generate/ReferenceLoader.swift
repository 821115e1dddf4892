import Godwit
import GodwitGenerator

/// Generates from a source whose documents refer to others.
///
/// The generator asks for the others while it works, and can't wait. So a URL that isn't there yet fails, is fetched, and the
/// generation starts again: it is pure, and a document has few of them.
struct ReferenceLoader {
    /// The maximum number of documents that are fetched.
    private static let countLimit = 200

    let input: GeneratorInput
    private var fetched: [String: SourceFile] = [:]

    init(_ input: GeneratorInput) {
        self.input = input
    }

    /// A document that can't be fetched ends the command: without it, files would be deleted that are still needed. A local
    /// file that isn't there is up to the generator, which lists what it left out.
    ///
    /// - Throws: `.generation` for what the generator throws; `.network` if a document can't be fetched.
    mutating func generation(
        _ generator: Generator, _ reader: SourceReader
    ) async throws(CommandFailure) -> Generation {
        while true {
            let attempt = try await attempt(generator)
            if let refusal = attempt.loads.refusal { throw .generation(refusal) }
            guard !attempt.loads.missing.isEmpty else {
                return try CommandFailure.generation { () throws(GenerationError) in try attempt.result.get() }
            }
            for reference in attempt.loads.missing {
                guard fetched.count < Self.countLimit else {
                    throw .generation(
                        GenerationError(.unsupported, "the document refers to more than \(Self.countLimit) others"))
                }
                do throws(CommandFailure) {
                    fetched[reference.name] = try await reader.read(reference.name)
                } catch {
                    throw error.referred(from: reference.place)
                }
            }
        }
    }

    private struct Attempt: Sendable {
        var result: Result<Generation, GenerationError>
        var loads: ReferenceLoads
    }

    /// One run, on a separate thread: a large document takes seconds, and an interruption must not wait for it.
    private func attempt(_ generator: Generator) async throws(CommandFailure) -> Attempt {
        let (input, fetched) = (input, fetched)
        let outcome = await BlockingCall(label: "godwit.generate").run {
            var loads = ReferenceLoads(from: input, fetched: fetched)
            let result = Result { () throws(GenerationError) in
                try generator.generate(from: input) { file throws(GenerationError) in try loads.load(file) }
            }
            return Attempt(result: result, loads: loads)
        }
        guard let outcome else { throw .output(.cancelled) }
        return outcome
    }
}

/// What the documents of one run refer to.
private struct ReferenceLoads: Sendable {
    private let fetched: [String: SourceFile]
    private let isRemote: Bool
    /// The URLs to fetch, in the order of the references.
    private(set) var missing: [FileReference] = []
    /// A reference that ends the command.
    private(set) var refusal: GenerationError?

    init(from input: GeneratorInput, fetched: [String: SourceFile]) {
        self.fetched = fetched
        isRemote =
            switch input {
            case .openAPI(let file): SourceReader.isURL(file.name)
            case .samples, .har: true
            // The command line is the user's own: curl would read the file too.
            case .curl: false
            }
    }

    /// - Parameter reference: As the generator resolved it: a URL, or a path relative to the current folder.
    mutating func load(_ reference: FileReference) throws(GenerationError) -> SourceFile {
        let name = reference.name
        if let file = fetched[name] { return file }
        if SourceReader.isURL(name) {
            if !missing.contains(where: { $0.name == name }) { missing.append(reference) }
            throw GenerationError(.file, "not fetched yet", at: SourcePlace(file: name))
        }
        // The document of a stranger must not copy files of this machine into what is generated.
        if isRemote || name.lowercased().hasPrefix("file:") {
            let error = GenerationError(
                .unsupported, "a document from the network can't refer to a local file: \(name)", at: reference.place)
            refusal = refusal ?? error
            throw error
        }
        do throws(CommandFailure) {
            return try SourceReader.file(name)
        } catch {
            if case .generation(let error) = error { throw error }
            throw GenerationError(.file, "can't read the file that is referred to", at: SourcePlace(file: name))
        }
    }
}
