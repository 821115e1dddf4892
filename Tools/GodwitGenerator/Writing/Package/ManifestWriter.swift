/// Writes `Package.swift`.
struct ManifestWriter: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions
    var layout = OutputLayout.package
    let dependency: PackageDependency

    var files: [GeneratedFile] {
        switch layout {
        case .folder: []
        case .package: [GeneratedFile(path: "Package.swift", text: text)]
        }
    }

    private var text: String {
        var text = SourceText()
        text.line("// swift-tools-version: 6.2")
        text.line()
        text.line("import PackageDescription")
        text.line()
        text.line("let package = Package(")
        text.indented { text in
            text.line("name: \(SwiftLiteral.string(plan.name)),")
            text.line("platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],")
            let name = SwiftLiteral.string(plan.name)
            text.line("products: [.library(name: \(name), targets: [\(name)])],")
            text.line("dependencies: [\(dependency.text)],")
            text.line("targets: [")
            text.indented { targets(&$0) }
            text.line("]")
        }
        text.line(")")
        return text.text
    }

    private func targets(_ text: inout SourceText) {
        let name = SwiftLiteral.string(plan.name)
        var client = ["Godwit"]
        if CredentialWriter(plan: plan, options: options).usesOAuth { client.append("GodwitOAuth") }
        if options.makesScreens { client.append("GodwitUI") }
        target(".target", name, products(client), &text)
        let tests = SwiftLiteral.string(plan.name + "Tests")
        target(".testTarget", tests, [name] + products(["Godwit", "GodwitTesting"]), &text)
    }

    private func target(_ kind: String, _ name: String, _ dependencies: [String], _ text: inout SourceText) {
        text.line("\(kind)(")
        text.indented { text in
            text.line("name: \(name),")
            text.line("dependencies: [")
            text.indented { text in
                // swift-format takes a single element for one on a line, which has no comma.
                let comma = dependencies.count == 1 ? "" : ","
                for dependency in dependencies { text.line(dependency + comma) }
            }
            text.line("]),")
        }
    }

    private func products(_ names: [String]) -> [String] {
        names.map { ".product(name: \(SwiftLiteral.string($0)), package: \(SwiftLiteral.string(dependency.name)))" }
    }
}
