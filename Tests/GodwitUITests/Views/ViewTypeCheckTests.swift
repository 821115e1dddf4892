#if os(Linux)
import GodwitCore
import TestSupport
import Testing

/// SwiftUI is not on Linux: the views are held against declarations of what they use (Tests/AppleInterfaces), by the
/// compiler, in Swift 6 mode and without a warning. That they look right, nobody has seen.
@Suite("Views for SwiftUI")
struct ViewTypeCheckTests {
    @Test(
        "V3 every view type-checks against SwiftUI's interface",
        .enabled(if: ScriptCheck.isPossible, "there is no swiftc on the PATH"),
        .disabled(if: ScriptCheck.isSanitized, "a sanitizer changes nothing about types"), .timeLimit(.minutes(10)))
    func views() async throws {
        let check = try await ScriptCheck.run("script/apple")
        #expect(check.status == 0, "\(check.output)")
        // Not only that nothing was wrong: that each file was looked at.
        let views = try Self.guardedFiles()
        #expect(
            check.output.split(separator: "\n").contains { $0.hasPrefix("GodwitUI: \(views.count) files for ") },
            "\(check.output)")
        for name in ["AsyncContentView", "CachedImage", "ErrorView", "InfiniteList", "OfflineBanner"] {
            #expect(views.contains("\(name).swift"))
        }
    }

    /// The files of GodwitUI that a build on Linux leaves out.
    private static func guardedFiles() throws -> [String] {
        let folder = ScriptCheck.repository.appending(path: "Sources/GodwitUI/Views")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
            try String(contentsOf: folder.appending(path: name), encoding: .utf8).contains("#if canImport(")
        }
    }
}
#endif
