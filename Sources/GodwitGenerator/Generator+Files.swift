extension Generator {
    /// The files for an API, in the order of their paths.
    func generation(of description: APIDescription) throws(GenerationError) -> Generation {
        let plan = try Planner.plan(description, options)
        let endpoints = EndpointWriter(options)
        var files = ModelWriter(plan, options).files.map { $0.inside("Models") }
        files += plan.catalogs.map { endpoints.file(for: $0).inside("Endpoints") }
        files += SupportWriter(options, usedBy: files).files.map { $0.inside("Support") }
        return Generation(name: plan.name, files: files.sorted { $0.path < $1.path }, notes: plan.notes)
    }
}

extension GeneratedFile {
    func inside(_ folder: String) -> GeneratedFile { GeneratedFile(path: folder + "/" + path, text: text) }
}
