import Godwit
import TestSupport
import Testing

/// `Tests/Fuzzer/Extremes*.swift` gives each option that takes a number the least, the most, zero, a negative one, infinity and NaN.
@Suite("S9 Extreme values", .timeLimit(.minutes(20)))
struct ExtremeValueTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func fuzzer(_ argument: String) async throws -> (text: String, code: Int32) {
        try await ChildProgram.output(of: [try #require(ChildProgram.built("Fuzzer")).path, argument])
    }

    @Test("S9 no count, size, duration or rate traps, or keeps a canceled call from ending")
    func extremes() async throws {
        let run = try await fuzzer("extremes")
        // After a trap, lines of Swift's backtracer follow the name.
        #expect(run.code == 0, "the last ones: \(run.text.split(separator: "\n").suffix(4).joined(separator: ", "))")
    }

    @Test("S9 every option of the public API that takes a number is tried, or isn't an option")
    func listing() async throws {
        let tried = Set(try await fuzzer("extreme-names").text.split(separator: "\n").map(String.init))
        var missing: [String] = []
        for file in try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "docs/api").path) {
            let text = try String(contentsOf: Self.root.appending(path: "docs/api/\(file)"), encoding: .utf8)
            for line in text.split(separator: "\n") {
                guard let colon = line.firstRange(of: ": ") else { continue }
                let (name, declaration) = (String(line[..<colon.lowerBound]), line[colon.upperBound...])
                guard Self.isOption(declaration), !Self.reports.contains(where: name.hasPrefix) else { continue }
                if !tried.contains(name) { missing.append(name) }
            }
        }
        #expect(
            missing.sorted() == Self.untried, "add them to Tests/Fuzzer/Extremes, or to the list here with a reason")
    }

    /// Whether a declaration is a property that callers set, of a number or a duration.
    private static func isOption(_ declaration: Substring) -> Bool {
        guard declaration.hasPrefix("var "), !declaration.hasSuffix("{ get }"),
            let type = declaration.split(separator: ": ", maxSplits: 1).last
        else { return false }
        let word = type.prefix { $0.isLetter || $0.isNumber }
        return ["Int", "Int64", "UInt64", "Double", "Float", "Duration", "TimeInterval"].contains(word)
    }

    /// Types whose numbers are results: nothing reads them to decide.
    private static let reports = [
        "ClientGauges.", "ConnectionCounts.", "RequestRefusal.", "TrafficEvent.", "TransferMetrics.", "NetworkError.",
        "ProblemDetails.",
        "ServerLimit.", "CacheStatus.",
        "GraphQLError.", "SourcePlace.", "Sample", "ExampleReply.", "TestClock.Instant.",
    ]

    /// Not tried.
    private static let untried = [
        // Needs Redis: GodwitFleetTests.
        "FleetOptions.commandTimeout", "FleetOptions.connectTimeout", "FleetOptions.expectedMembers",
        "FleetOptions.heartbeat",
        "FleetOptions.replyLimit",
        // Settings of URLSession, which its own tests start.
        "URLSessionSettings.maximumConnectionsPerHost", "URLSessionSettings.streamBuffer",
    ].sorted()
}
