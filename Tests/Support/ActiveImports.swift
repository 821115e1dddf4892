/// The modules that a Swift file imports on a given platform: reads `#if`, `#elseif`, `#else` and `#endif`, and nothing
/// else of the language.
package struct ActiveImports: Sendable {
    /// The modules that `canImport` finds.
    package var modules: Set<String>
    /// The name that `os` is true for.
    package var system: String

    package init(modules: Set<String>, system: String) {
        self.modules = modules
        self.system = system
    }

    /// What a Mac has, as far as Godwit asks.
    package static let mac = ActiveImports(
        modules: ["Darwin", "Foundation", "Security", "Network", "SwiftUI", "AppKit", "AuthenticationServices"],
        system: "macOS")

    /// The imports of a file's text that are compiled.
    package func imports(in text: String) -> Set<String> {
        var conditions: [Condition] = []
        var found: Set<String> = []
        for line in text.split(separator: "\n") {
            // Most lines are indented code.
            guard line.utf8.first != 0x20 || line.utf8.first(where: { $0 != 0x20 }) == UInt8(ascii: "#") else {
                continue
            }
            let words = line.split(separator: " ")
            switch words.first {
            case "#if": conditions.append(Condition(isMet: isMet(words.dropFirst())))
            case "#elseif": conditions.last?.isMet(isMet(words.dropFirst())) ?? ()
            case "#else": conditions.last?.isMet(true) ?? ()
            case "#endif": _ = conditions.popLast()
            default:
                // Indented ones are text: that of generated code.
                guard !line.hasPrefix(" "), conditions.allSatisfy(\.isActive), let module = Self.module(words) else {
                    continue
                }
                found.insert(module)
            }
        }
        return found
    }

    /// One `#if` and where it stands.
    private final class Condition {
        private(set) var isActive: Bool
        private var wasMet: Bool

        init(isMet: Bool) {
            (isActive, wasMet) = (isMet, isMet)
        }

        /// The next branch, with its own condition.
        func isMet(_ isMet: Bool) {
            isActive = isMet && !wasMet
            wasMet = wasMet || isMet
        }
    }

    private static let modifiers: Set<Substring> = ["public", "package", "internal", "private", "fileprivate"]

    private static func module(_ words: [Substring]) -> String? {
        let rest = words.drop { modifiers.contains($0) || $0.hasPrefix("@") }
        guard rest.first == "import" else { return nil }
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        let path = rest.dropFirst().drop { kinds.contains($0) }.first
        return path?.split(separator: ".").first.map(String.init)
    }

    /// Whether a condition of `canImport`, `os`, `!`, `&&` and `||` holds. Anything else counts as true.
    package func isMet(_ words: some Sequence<Substring>) -> Bool {
        let text = words.joined()
        return text.split(separator: "||").contains { alternative in
            alternative.split(separator: "&&").allSatisfy { term in
                let isNegated = term.hasPrefix("!")
                return holds(term.drop { $0 == "!" || $0 == "(" }) != isNegated
            }
        }
    }

    private func holds(_ term: Substring) -> Bool {
        let parts = term.split { $0 == "(" || $0 == ")" }
        guard parts.count == 2 else { return true }
        return switch parts[0] {
        case "canImport": modules.contains(String(parts[1]))
        case "os": parts[1] == system
        default: true
        }
    }
}
