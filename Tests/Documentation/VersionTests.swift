import Godwit
import Testing

/// The version stands in one source file; pages repeat it.
@Suite("The version")
struct VersionTests {
    private static let version = String(ClientConfiguration.defaultUserAgent.trimmingPrefix("Godwit/"))

    @Test("I8 one source file has the version, and everything else takes it from there")
    func source() throws {
        let files = try ["Sources", "Satellites", "Tools"].flatMap(Repository.sources(in:))
        let own = try files.filter { try Repository.text($0).contains("\"\(Self.version)\"") }
        #expect(own == ["Sources/GodwitSupport/Text/LibraryVersion.swift"])
        // The page is not Swift.
        #expect(try Repository.text("Tools/GodwitInspector/Page/export.js").contains("version: \"\(Self.version)\""))
    }

    @Test("I8 the changelog begins with the version, and pages name it in dependencies")
    func pages() throws {
        let changelog = try Repository.text("CHANGELOG.md")
        let first = try #require(changelog.split(separator: "\n").first { $0.hasPrefix("## [") })
        #expect(first.hasPrefix("## [\(Self.version)] – "))
        #expect(try Repository.text("README.md").contains("from: \"\(Self.version)\""))
        for page in Repository.pages() {
            for line in try Repository.text(page.name).split(separator: "\n")
            where line.contains("of this repository>\", from: \"") {
                #expect(line.contains("from: \"\(Self.version)\""), "\(page.name)")
            }
        }
    }

    @Test("I8 three numbers make the version")
    func form() {
        #expect(Self.version.wholeMatch(of: #/\d+\.\d+\.\d+/#) != nil)
    }
}
