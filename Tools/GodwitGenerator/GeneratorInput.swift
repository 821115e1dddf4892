/// What a client is generated from.
public enum GeneratorInput: Sendable {
    /// An OpenAPI document: 3.0, 3.1 or 3.2, in JSON or YAML.
    case openAPI(SourceFile)
    /// Calls with their responses, as far as they are known.
    case samples([Sample])
    /// The calls that a browser or a proxy recorded (HAR 1.2).
    case har(SourceFile)
    /// Command lines of curl. Their answers are unknown.
    case curl([String])
}

extension Generator {
    /// Generates a client, without writing files.
    ///
    /// - Parameters:
    ///   - input: What the client is made of.
    ///   - load: Reads a file that a document refers to. The generator itself reads none.
    /// - Throws: `.invalid` or `.unsupported` if there is nothing to generate, `.contradiction` for samples of one value that
    ///   can't have one type.
    public func generate(
        from input: GeneratorInput,
        load: (FileReference) throws(GenerationError) -> SourceFile = { file throws(GenerationError) in
            throw GenerationError(.file, "\(file.name) isn't loaded", at: file.place)
        }
    ) throws(GenerationError) -> Generation {
        try generation(of: description(of: input, load))
    }

    private func description(
        of input: GeneratorInput, _ load: (FileReference) throws(GenerationError) -> SourceFile
    ) throws(GenerationError) -> APIDescription {
        switch input {
        case .openAPI(let document): return try OpenAPIReader.read(document, load: load)
        case .samples(let samples):
            return try SampleReader.read(samples, title: options.name, guessesEnums: options.guessesEnums)
        case .har(let archive):
            let read = try HARReader.read(archive)
            return try SampleReader.read(
                read.samples, title: options.name, guessesEnums: options.guessesEnums, notes: read.notes)
        case .curl(let lines):
            let samples = try Self.samples(lines, load)
            return try SampleReader.read(samples, title: options.name, guessesEnums: options.guessesEnums)
        }
    }

    private static func samples(
        _ lines: [String], _ load: (FileReference) throws(GenerationError) -> SourceFile
    ) throws(GenerationError) -> [Sample] {
        // The reader keeps the closure while it reads.
        let result = withoutActuallyEscaping(load) { load in
            Result { () throws(GenerationError) in
                var samples: [Sample] = []
                for line in lines {
                    samples.append(
                        try CurlReader.read(line) { name throws(GenerationError) in
                            try load(FileReference(name: name)).data
                        })
                }
                return samples
            }
        }
        return try result.get()
    }
}
