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
        text.line(".target(")
        text.indented { text in
            text.line("name: \(name),")
            text.array("dependencies: [", ["Godwit"].appending("GodwitUI", if: options.makesScreens).map(product), "]),")
        }
        text.line(".testTarget(")
        text.indented { text in
            text.line("name: \(SwiftLiteral.string(plan.name + "Tests")),")
            text.array("dependencies: [", [name] + ["Godwit", "GodwitTesting"].map(product), "]),")
        }
    }

    private func product(_ name: String) -> String {
        ".product(name: \(SwiftLiteral.string(name)), package: \(SwiftLiteral.string(dependency.name)))"
    }
}

extension [String] {
    fileprivate func appending(_ element: String, if condition: Bool) -> [String] {
        condition ? self + [element] : self
    }
}
