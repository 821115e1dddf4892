import Godwit
import Testing

/// The map in docs/architecture.md is that of the real imports.
@Suite("The map of the architecture")
struct ArchitectureTests {
    /// What each target's sources import of this package, as the page says.
    private static func drawn() throws -> [String: Set<String>] {
        let page = try Repository.text("docs/architecture.md")
        let block = page.split(separator: "<!-- imports -->\n", maxSplits: 1)[1]
        var targets: [String: Set<String>] = [:]
        var target = ""
        for line in block.split(separator: "\n").prefix(while: { $0.hasPrefix("    ") }) {
            var imports = line
            // A line without a colon continues the one above it.
            if let colon = line.firstIndex(of: ":") {
                target = String(line[..<colon]).trimmingSpaces
                imports = line[line.index(after: colon)...]
            }
            targets[target, default: []].formUnion(imports.split(separator: " ").map(String.init))
        }
        return targets
    }

    /// The same by the sources. A module of ours, or of the system by our name for it, begins like one.
    private static func imports(of target: String) throws -> Set<String> {
        var found: Set<String> = []
        for path in try Repository.sources(in: folder(of: target)) {
            for line in try Repository.text(path).split(separator: "\n") where line.contains("import ") {
                // Those in string literals are indented.
                guard !line.hasPrefix(" ") else { continue }
                let words = line.split(separator: " ")
                guard let last = words.last, words.dropLast().last == "import", words.count <= 4 else { continue }
                if try modules().contains(String(last)) { found.insert(String(last)) }
            }
        }
        return found
    }

    /// The folders of the sources: Swift's and C's.
    private static func folders() throws -> [String] {
        try ["Sources", "Satellites", "Tools"].flatMap(Repository.files(in:))
    }

    private static func folder(of target: String) throws -> String {
        try #require(try folders().first { $0.hasSuffix("/\(target)") })
    }

    private static func modules() throws -> [String] {
        try folders().map { String($0.split(separator: "/")[1]) }
    }

    @Test("It names every target, and no other")
    func targets() throws {
        let targets = try Self.modules().filter { try !Repository.sources(in: Self.folder(of: $0)).isEmpty }
        #expect(Set(try Self.drawn().keys) == Set(targets))
    }

    @Test("Its arrows match the imports of the sources")
    func arrows() throws {
        for (target, imports) in try Self.drawn() {
            #expect(try Self.imports(of: target) == imports, "\(target)")
        }
    }

    @Test("Each target imports only from rows above its own in the table, so that no dependency forms a cycle")
    func floors() throws {
        let drawn = try Self.drawn()
        var below: Set<String> = []
        for row in try Repository.text("docs/architecture.md").split(separator: "\n") {
            // Rows of the table of targets: their floor, and their names in backticks.
            let cells = row.split(separator: "|")
            guard row.hasPrefix("| "), cells.count > 2, cells[0].contains(where: \.isNumber) else { continue }
            for target in cells[1].split(separator: "`").map(String.init) where target.hasPrefix("Godwit") {
                let ours = try #require(drawn[target]).filter { $0.hasPrefix("Godwit") }
                #expect(ours.subtracting(below) == [], "\(target)")
                below.insert(target)
            }
        }
        #expect(below == Set(drawn.keys))
    }

    @Test("The rooms of every target stand in an order: a room uses only rooms before it")
    func rooms() throws {
        for target in try Self.modules() {
            let circle = try Rooms(of: Self.folder(of: target)).circle
            #expect(circle.isEmpty, "\(target): \(circle)")
        }
    }

    @Test("A circle of rooms is found by the files that make it")
    func circle() throws {
        let rooms = Rooms([
            "Cache/Store.swift": "struct Store {\n    let owner: Client?  // not Comment\n}",
            "Client/Client.swift": "final class Client {\n    var store: Store?\n    let text = \"Note\"\n}",
            "Notes/Note.swift": "struct Note {}\nstruct Comment {\n    var client: Client.Type\n}",
        ])
        #expect(
            rooms.circle.map(\.description).sorted() == [
                "Cache/Store.swift uses Client of Client/Client.swift",
                "Client/Client.swift uses Store of Cache/Store.swift",
            ])
        #expect(Rooms(["A/A.swift": "struct A {}", "B/B.swift": "struct B { let a: A }"]).circle.isEmpty)
    }
}

extension String {
    fileprivate var trimmingSpaces: String { String(drop { $0 == " " }) }
}
