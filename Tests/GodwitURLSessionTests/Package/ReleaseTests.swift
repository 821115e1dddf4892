#if os(Linux)
import GodwitCore
import TestSupport
import Testing

/// The scripts that check a release.
@Suite("Releases", .enabled(if: ScriptCheck.isPossible, "there is no swift on the PATH"), .timeLimit(.minutes(15)))
struct ReleaseTests {
    /// Compares two listings of one module.
    private func compare(_ old: String, _ new: String) async throws -> ScriptCheck.Outcome {
        let (before, after) = (TemporaryFolder(), TemporaryFolder())
        _ = try before.file("Birds.txt", Data(old.utf8))
        _ = try after.file("Birds.txt", Data(new.utf8))
        return try await ScriptCheck.run("script/api.d/compare.py", [before.url.path, after.url.path])
    }

    private static let listing = """
        Bird.name: var name: String { get }
        Bird: struct Bird // conforms to Equatable, Sendable
        Sound.song: case song
        Sound: enum Sound // conforms to Sendable
        Singing.sing(): func sing()
        Singing: protocol Singing // conforms to Sendable

        """

    @Test("I8 the same listing has no change, and a new declaration or conformance is additive")
    func additive() async throws {
        #expect(try await compare(Self.listing, Self.listing).output == "No change\n")
        let more = Self.listing.replacing("Equatable, Sendable", with: "Equatable, Hashable, Sendable")
        let outcome = try await compare(Self.listing, more + "Bird.age: var age: Int { get }\n")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("Additive (2)"))
        #expect(outcome.output.contains("Birds: + Bird conforms to Hashable"))
    }

    @Test(
        "I8 a removed declaration, a changed type, a lost conformance and a new case are breaking",
        arguments: [
            ("Bird.name: var name: String { get }\n", ""),
            ("var name: String { get }", "var name: String? { get }"),
            ("Equatable, Sendable", "Sendable"),
            ("Sound.song: case song\n", "Sound.call: case call\nSound.song: case song\n"),
        ])
    func breaking(old: String, new: String) async throws {
        let outcome = try await compare(Self.listing, Self.listing.replacing(old, with: new))
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("Breaking"))
    }

    @Test("I8 a new member of a protocol is named apart: a listing doesn't show whether it has a default")
    func requirements() async throws {
        let outcome = try await compare(Self.listing, Self.listing + "Singing.call(): func call()\n")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("Breaking for conformances"))
    }

    @Test("I8 what is in this repository could be released")
    func release() async throws {
        let outcome = try await ScriptCheck.run("script/release", ["--date"])
        let failed = outcome.output.split(separator: "\n").filter { $0.hasPrefix("FAILED") }
        // A change that is being made isn't committed yet.
        #expect(failed.filter { !$0.hasSuffix("everything is committed") } == [], "\(outcome.output)")
    }
}
#endif
