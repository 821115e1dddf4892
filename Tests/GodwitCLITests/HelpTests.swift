import Godwit
import GodwitCommand
import Testing

@Suite("G1 godwit --help", .timeLimit(.minutes(15)))
struct HelpTests {
    /// The options in a help, by their first name.
    private static func options(in help: some StringProtocol) -> [Substring] {
        help.split(separator: "\n").filter { $0.hasPrefix("  -") }.compactMap { line in
            line.split { $0 == " " || $0 == "," }.first.map { Substring($0) }
        }
    }

    @Test("G1 help opens with the ten options that people use, and names where all are", arguments: ["--help", "help"])
    func opening(word: String) async throws {
        let help = await Run.godwit(word).output
        let sections = help.split(separator: "\n\n")
        try #require(sections.count > 2)
        #expect(sections[1].hasPrefix("Options that people use most:\n"))
        #expect(Self.options(in: sections[1]).count == 11 && sections[1].contains("\n  --help all "))
        #expect(sections[2].hasPrefix("Commands:\n"))
        #expect(help.count { $0 == "\n" } < 90)
    }

    @Test("G1 --help all has each option of each command", arguments: [["--help", "all"], ["help", "all"]])
    func everything(line: [String]) async throws {
        let all = await Run.godwit(line)
        #expect(all.code == .success)
        let options = Set(Self.options(in: all.output))
        for name in ["get", "sse", "paginate", "graphql", "download", "upload", "run", "generate", "mock", "cookies"] {
            let own = Self.options(in: await Run.godwit(name, "--help").output)
            #expect(!own.isEmpty && options.isSuperset(of: own), "\(name)")
        }
    }

    @Test("G1 the manual page has the options that only paginate has")
    func manual() async {
        #expect(await Run.godwit("man").output.contains("\\-\\-max\\-items"))
    }

    @Test("G1 completion of help offers all", arguments: ["bash", "zsh", "fish"])
    func completion(shell: String) async {
        #expect(await Run.godwit("completion", shell).output.contains("all config curl"))
    }
}
