@testable import GodwitGenerator
import Testing

@Suite("G2 The client of the tutorial")
struct TutorialClientTests {
    /// The root of the package.
    private var root: URL {
        (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    }

    @Test("G2 the client in Tests/Documentation/Birds is what docs/birds.yaml makes")
    func isCurrent() throws {
        let document = SourceFile(
            name: "docs/birds.yaml", data: try Data(contentsOf: root.appending(path: "docs/birds.yaml")))
        var options = GeneratorOptions()
        options.access = .internal
        options.layout = .folder
        options.makesScreens = true
        let generation = try Generator(options).generate(from: .openAPI(document))
        for file in generation.files where file.path != "GENERATED.md" {
            let url = root.appending(path: "Tests/Documentation/Birds/\(file.path)")
            let written = String(decoding: try Data(contentsOf: url), as: UTF8.self)
            #expect(written.hasSuffix(file.text), "\(file.path)")
        }
    }
}
