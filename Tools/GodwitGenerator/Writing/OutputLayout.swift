/// Where files are put.
enum OutputLayout: String, Sendable, Hashable, CaseIterable {
    /// A Swift package: `Sources/NAME/…` and `Tests/NAMETests/…`.
    case package
    /// A folder of an existing target: `Models/…`, and tests in `Tests/…`.
    case folder

    init(_ layout: GeneratorOptions.Layout) {
        switch layout {
        case .package: self = .package
        case .folder: self = .folder
        }
    }

    /// The path of a source file.
    func source(_ path: String, in plan: ClientPlan) -> String {
        switch self {
        case .package: "Sources/\(plan.name)/\(path)"
        case .folder: path
        }
    }

    /// The path of a file of the tests.
    func test(_ path: String, in plan: ClientPlan) -> String {
        switch self {
        case .package: "Tests/\(plan.name)Tests/\(path)"
        case .folder: "Tests/\(path)"
        }
    }
}

extension GeneratorOptions {
    /// `public ` or nothing, in front of declarations.
    var accessPrefix: String {
        switch access {
        case .public: "public "
        case .internal: ""
        }
    }

    /// The line that imports a module whose types appear in declarations.
    func importLine(_ module: String) -> String {
        switch access {
        case .public: "public import \(module)"
        case .internal: "import \(module)"
        }
    }

    /// The line that imports the generated module into its tests.
    func testImportLine(of plan: ClientPlan) -> String {
        switch access {
        case .public: "import \(plan.name)"
        case .internal: "@testable import \(plan.name)"
        }
    }
}

extension SourceText {
    /// Starts a file of tests with its imports.
    init(testing plan: ClientPlan, _ options: GeneratorOptions, with module: String? = nil) {
        self.init()
        line("import Godwit")
        if let module { line("import \(module)") }
        line(options.testImportLine(of: plan))
        line("import Testing")
        line()
    }
}
