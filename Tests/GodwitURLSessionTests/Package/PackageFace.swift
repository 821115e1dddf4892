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
        private let dependencies: [Dependency]

        /// What it depends on in this package if it is built for a platform.
        func own(on platform: String) -> [String] {
            dependencies.filter { !$0.isForeign && $0.platforms?.contains(platform) != false }.map(\.name)
        }

        /// Where its files are.
        var folder: String { path ?? "\(type == "test" ? "Tests" : "Sources")/\(name)" }
    }

    private struct Condition: Decodable {
        let platformNames: [String]?
    }

    /// A condition, or something else.
    private struct Element: Decodable {
        let condition: Condition?

        init(from decoder: any Decoder) throws {
            condition = try? decoder.singleValueContainer().decode(Condition.self)
        }
    }

    /// A dependency's name and the platforms where it applies.
    struct Dependency: Decodable {
        let name: String
        /// Whether it is a product of another package, which only a trait adds.
        let isForeign: Bool
        /// `nil` for all.
        let platforms: [String]?

        private enum Key: String, CodingKey, CaseIterable {
            case byName, target, product
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            let key = Key.allCases.first(where: values.contains) ?? .target
            var list = try values.nestedUnkeyedContainer(forKey: key)
            name = try list.decode(String.self)
            isForeign = key == .product
            var condition: Condition?
            // A product's package comes between.
            while !list.isAtEnd {
                if try list.decodeNil() { continue }
                condition = try list.decode(Element.self).condition
            }
            platforms = condition?.platformNames
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
        try await (host == "apple" ? apple : linux).value
    }

    /// Read once: each reading compiles the manifest.
    private static let apple = Task { try await read("apple") }
    private static let linux = Task { try await read("linux") }

    private static func read(_ host: String) async throws -> PackageFace {
        let outcome = try await ScriptCheck.run("script/apple", ["--manifest", host])
        guard outcome.status == 0 else { throw Unreadable(output: outcome.output) }
        // What SwiftPM warns of comes first.
        return try JSONDecoder().decode(PackageFace.self, from: Data(outcome.output.drop { $0 != "{" }.utf8))
    }

    struct Unreadable: Error {
        let output: String
    }

    var names: Set<String> { Set(targets.map(\.name)) }

    /// What a target can import of the package if it is built for a platform (`linux`, `macos`, `ios`, `android`): all that
    /// it depends on, directly or not.
    func reach(of name: String, on platform: String) -> Set<String> {
        var found: Set<String> = [], next = [name]
        while let name = next.popLast() {
            for dependency in targets.first(where: { $0.name == name })?.own(on: platform) ?? []
            where found.insert(dependency).inserted { next.append(dependency) }
        }
        return found
    }
}
#endif
