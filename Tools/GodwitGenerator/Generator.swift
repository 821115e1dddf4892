/// Writes a client for an API: models, endpoints, a client with credentials, a repository and tests.
///
/// ```swift
/// let file = URL(fileURLWithPath: "museum.yaml")
/// let document = SourceFile(name: "museum.yaml", data: try Data(contentsOf: file))
/// let generation = try Generator().generate(from: .openAPI(document))
/// for file in generation.files { print(file.path) }
/// ```
///
/// The same input always makes the same files: they contain neither a date nor a random order.
public struct Generator: Sendable {
    /// What to generate, and how it is named.
    public var options: GeneratorOptions

    /// Creates a generator with options.
    public init(_ options: GeneratorOptions = GeneratorOptions()) {
        self.options = options
    }
}

/// What to generate, and how it is named.
public struct GeneratorOptions: Sendable, Hashable {
    /// Who can use the generated declarations.
    public enum Access: String, Sendable, Hashable, CaseIterable {
        /// `public`: the generated code can be used by every module that imports it.
        case `public`
        /// `internal`: the generated code can be used only in its module.
        case `internal`
    }

    /// The name of the API in Swift, such as `Museum` for `MuseumAPI`; `nil` (the default) takes the document's title.
    public var name: String?
    /// Who can use the declarations. `.public` (the default) suits a package, `.internal` a folder of an app.
    public var access = Access.public
    /// Whether screens are written too: loaders and SwiftUI views for lists and details.
    public var makesScreens = false
    /// The tags and operations to generate; empty (the default) for all. Types that only others use are left out.
    public var only: [String] = []
    /// Whether a text of samples with few values becomes an enum.
    public var guessesEnums = false
    /// The base URL; `nil` (the default) takes the document's servers.
    public var baseURL: String?
    /// The command line that repeats the generation, for `GENERATED.md`.
    public var command: String?
    /// What is written around the sources. A package by default.
    public var layout = Layout.package(godwit: .release)

    /// Creates the default options.
    public init() {}

    /// What is written around the sources.
    public enum Layout: Sendable, Hashable {
        /// A Swift package with `Package.swift`, sources and tests.
        case package(godwit: PackageSource)
        /// A folder of an existing target.
        case folder
    }

    /// Where a generated package gets Godwit from.
    public enum PackageSource: Sendable, Hashable {
        /// The folder of a package on disk.
        case path(String)
        /// The current release.
        case release
    }
}

/// A document or a sample.
public struct SourceFile: Sendable, Hashable {
    /// The path or URL, for messages and for references to other files.
    public var name: String
    /// The contents of the file.
    public var data: Data

    /// Creates a file from its contents. Reads nothing.
    public init(name: String, data: Data) {
        self.name = name
        self.data = data
    }
}

/// What was generated: the files, and what a person should know about them.
public struct Generation: Sendable, Hashable {
    /// The name of the API in Swift, such as `Museum`.
    public var name: String
    /// The generated files, in the order of their paths.
    public var files: [GeneratedFile]
    /// Guesses and omissions, in the order of the document.
    public var notes: [Note]
}

/// A file to be written.
public struct GeneratedFile: Sendable, Hashable {
    /// The path relative to the folder of the output, with `/`: `Sources/Museum/Models/Ticket.swift`.
    public var path: String
    /// The contents of the file.
    public var text: String
}
