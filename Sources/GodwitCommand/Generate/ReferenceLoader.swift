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

    /// - Throws: `.generation` for what the generator throws, and for a document that can't be loaded.
    mutating func generation(
        _ generator: Generator, _ reader: SourceReader
    ) async throws(CommandFailure) -> Generation {
        while true {
            let (result, missing) = try await attempt(generator)
            if missing.isEmpty {
                return try CommandFailure.generation { () throws(GenerationError) in try result.get() }
            }
            for url in missing {
                guard fetched.count < Self.countLimit else {
                    throw .generation(
                        GenerationError(.unsupported, "the document refers to more than \(Self.countLimit) others"))
                }
                fetched[url] = try await reader.read(url)
            }
        }
    }

    /// One run, on a thread of its own: a large document takes seconds, and an interruption must not wait for it.
    private func attempt(
        _ generator: Generator
    ) async throws(CommandFailure) -> (Result<Generation, GenerationError>, [String]) {
        let (input, fetched) = (input, fetched)
        let outcome = await BlockingCall(label: "godwit.generate").run {
            var missing: [String] = []
            let result = Result { () throws(GenerationError) in
                try generator.generate(from: input) { name throws(GenerationError) in
                    try Self.load(name, for: input, fetched: fetched, missing: &missing)
                }
            }
            return (result, missing)
        }
        guard let outcome else { throw .output(.cancelled) }
        return outcome
    }

    /// - Parameter name: As the generator resolved it: a URL, or a path relative to the current folder.
    private static func load(
        _ name: String, for input: GeneratorInput, fetched: [String: SourceFile], missing: inout [String]
    ) throws(GenerationError) -> SourceFile {
        if let file = fetched[name] { return file }
        if SourceReader.isURL(name) {
            if !missing.contains(name) { missing.append(name) }
            throw GenerationError(.file, "not fetched yet", at: SourcePlace(file: name))
        }
        // A document of a stranger must not read files of this machine into what is generated.
        if isRemote(input) || name.lowercased().hasPrefix("file:") {
            throw GenerationError(
                .unsupported, "a document from the network can't refer to a local file", at: SourcePlace(file: name))
        }
        do throws(CommandFailure) {
            return try SourceReader.file(name)
        } catch {
            if case .generation(let error) = error { throw error }
            throw GenerationError(.file, "can't read the file that is referred to", at: SourcePlace(file: name))
        }
    }

    private static func isRemote(_ input: GeneratorInput) -> Bool {
        guard case .openAPI(let file) = input else { return true }
        return SourceReader.isURL(file.name)
    }
}
