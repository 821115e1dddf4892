/// Where a generated package finds Godwit.
enum PackageDependency: Sendable, Hashable {
    /// A folder on this machine.
    case path(String)
    /// A repository, and the first version that is used.
    case url(String, from: String)

    static let standard = PackageDependency.url("https://github.com/godwit-http/godwit.git", from: "1.0.0")

    /// The dependency in a manifest.
    var text: String {
        switch self {
        case .path(let path): ".package(name: \"godwit\", path: \(SwiftLiteral.string(path)))"
        case .url(let url, let version):
            ".package(url: \(SwiftLiteral.string(url)), from: \(SwiftLiteral.string(version)))"
        }
    }

    /// The name that products are found by.
    var name: String {
        switch self {
        case .path: "godwit"
        case .url(let url, _):
            url.split(separator: "/").last.map { String($0.hasSuffix(".git") ? $0.dropLast(4) : $0) } ?? "godwit"
        }
    }
}
