extension Generator {
    /// The files for an API, in the order of their paths.
    func generation(of description: APIDescription) throws(GenerationError) -> Generation {
        let plan = try Planner.plan(description, options)
        let layout = OutputLayout(options.layout)
        let client = ClientFiles(plan: plan, options: options, layout: layout)
        let sources = client.sources
        var files = declarations(in: plan, layout, usedBy: sources) + sources
        // In a folder, the target around it would compile the tests too.
        if case .package(let godwit) = options.layout {
            files += client.tests + client.manifest(PackageDependency(godwit))
        }
        files.append(client.report(on: files))
        return Generation(
            name: plan.name, files: files.sorted { $0.path < $1.path }, notes: plan.notes + client.notes)
    }

    /// Models, endpoints, and the small types that they or other sources use.
    private func declarations(
        in plan: ClientPlan, _ layout: OutputLayout, usedBy sources: [GeneratedFile]
    ) -> [GeneratedFile] {
        let endpoints = EndpointWriter(options, plan)
        var files = ModelWriter(plan, options).files.map { $0.inside("Models") }
        files += plan.catalogs.map { endpoints.file(for: $0).inside("Endpoints") }
        files += SupportWriter(options, usedBy: files + sources).files.map { $0.inside("Support") }
        return files.map { GeneratedFile(path: layout.source($0.path, in: plan), text: $0.text) }
    }
}

extension GeneratedFile {
    fileprivate func inside(_ folder: String) -> GeneratedFile {
        GeneratedFile(path: folder + "/" + path, text: text)
    }
}
