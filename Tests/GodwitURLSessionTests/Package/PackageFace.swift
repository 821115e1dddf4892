#if os(Linux)
import GodwitCore
import TestSupport

/// The package as SwiftPM sees it on one kind of machine.
struct PackageFace: Decodable {
    struct Target: Decodable {
        let name: String
        let type: String
        let path: String?
        let exclude: [String]
        let dependencies: [Dependency]

        /// Where its files are.
        var folder: String { path ?? "\(type == "test" ? "Tests" : "Sources")/\(name)" }
    }

    /// A dependency's name; a condition that it may have counts as met.
    struct Dependency: Decodable {
        let name: String

        private enum Key: String, CodingKey {
            case byName, target
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            var list = try values.nestedUnkeyedContainer(forKey: values.contains(.byName) ? .byName : .target)
            name = try list.decode(String.self)
        }
    }

    struct Product: Decodable {
        let name: String
        let targets: [String]
    }

    let targets: [Target]
    let products: [Product]

    /// Reads the manifest as a machine of that kind does: `linux` or `apple`.
    static func of(_ host: String) async throws -> PackageFace {
        let outcome = try await ScriptCheck.run("script/apple", ["--manifest", host])
        guard outcome.status == 0 else { throw Unreadable(output: outcome.output) }
        // What SwiftPM warns of comes first.
        return try JSONDecoder().decode(PackageFace.self, from: Data(outcome.output.drop { $0 != "{" }.utf8))
    }

    struct Unreadable: Error {
        let output: String
    }

    var names: Set<String> { Set(targets.map(\.name)) }

    /// What a target can import of the package: all that it depends on, directly or not.
    func reach(of name: String) -> Set<String> {
        var found: Set<String> = [], next = [name]
        while let name = next.popLast() {
            for dependency in targets.first(where: { $0.name == name })?.dependencies ?? []
            where found.insert(dependency.name).inserted { next.append(dependency.name) }
        }
        return found
    }
}
#endif
