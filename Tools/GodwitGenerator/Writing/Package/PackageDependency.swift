/// Where a generated package finds Godwit.
enum PackageDependency: Sendable, Hashable {
    /// A folder on this machine.
    case path(String)
    /// A repository, and its branch.
    case url(String, branch: String)

    /// To be replaced: the generator doesn't know from where a package gets Godwit.
    static let standard = PackageDependency.url("<the URL of Godwit's repository>", branch: "main")

    init(_ source: GeneratorOptions.PackageSource) {
        switch source {
        case .path(let path): self = .path(path)
        case .release: self = .standard
        }
    }

    /// The dependency in a manifest.
    var text: String {
        switch self {
        case .path(let path): ".package(name: \"godwit\", path: \(SwiftLiteral.string(path)))"
        case .url(let url, let branch):
            ".package(url: \(SwiftLiteral.string(url)), branch: \(SwiftLiteral.string(branch)))"
        }
    }

    /// The name that products are found by.
    var name: String {
        switch self {
        case .path: "godwit"
        case .url(let url, _) where url.contains("/"):
            url.split(separator: "/").last.map { String($0.hasSuffix(".git") ? $0.dropLast(4) : $0) } ?? "godwit"
        case .url: "godwit"
        }
    }
}
