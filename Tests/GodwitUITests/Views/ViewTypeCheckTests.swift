#if os(Linux)
import GodwitCore
import TestSupport
import Testing

/// SwiftUI is not available on Linux. `script/apple`, a step of `script/test`, type-checks the views against declarations of
/// what they use (Tests/AppleInterfaces), in Swift 6 mode and without warnings. Nothing tests how they look.
@Suite("Views for SwiftUI")
struct ViewTypeCheckTests {
    @Test("V3 script/apple type-checks every view against SwiftUI's interface")
    func views() throws {
        let interfaces = ScriptCheck.repository.appending(path: "Tests/AppleInterfaces/SwiftUI")
        #expect(try !FileManager.default.contentsOfDirectory(atPath: interfaces.path).isEmpty)
        let views = ScriptCheck.repository.appending(path: "Sources/GodwitUI/Views")
        let names = [
            "AsyncContentView", "CachedImage", "ErrorView", "InfiniteList", "OfflineBanner", "StateViews", "Previews",
        ]
        for name in names {
            let text = try String(contentsOf: views.appending(path: "\(name).swift"), encoding: .utf8)
            #expect(text.contains("#if canImport(SwiftUI)"), "\(name)")
        }
        let steps = try String(contentsOf: ScriptCheck.repository.appending(path: "script/test"), encoding: .utf8)
        #expect(steps.contains("script/apple"))
    }
}
#endif
