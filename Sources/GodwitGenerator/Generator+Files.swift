extension Generator {
    /// The files for an API, in the order of their paths.
    func generation(of description: APIDescription) throws(GenerationError) -> Generation {
        let plan = try Planner.plan(description, options)
        let endpoints = EndpointWriter(options)
        let (layout, dependency) = layout
        let client = ClientFiles(plan: plan, options: options, layout: layout)
        var files = ModelWriter(plan, options).files.map { $0.inside("Models") }
        files += plan.catalogs.map { endpoints.file(for: $0).inside("Endpoints") }
        files += SupportWriter(options, usedBy: files).files.map { $0.inside("Support") }
        files = files.map { GeneratedFile(path: layout.source($0.path, in: plan), text: $0.text) } + client.sources
        // In a folder, the target around it would compile the tests too.
        if layout == .package { files += client.tests + client.manifest(dependency) }
        files.append(client.report(on: files))
        return Generation(
            name: plan.name, files: files.sorted { $0.path < $1.path }, notes: plan.notes + client.notes)
    }

    private var layout: (OutputLayout, PackageDependency) {
        switch options.layout {
        case .folder: (.folder, .standard)
        case .package(.release): (.package, .standard)
        case .package(.path(let path)): (.package, .path(path))
        }
    }
}

extension GeneratedFile {
    func inside(_ folder: String) -> GeneratedFile { GeneratedFile(path: folder + "/" + path, text: text) }
}
