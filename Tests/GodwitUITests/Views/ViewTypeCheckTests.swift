#if os(Linux)
import GodwitCore
import TestSupport
import Testing

/// SwiftUI is not available on Linux. `script/apple`, a step of `script/test`, type-checks the views against declarations of
/// what they use (Tests/AppleInterfaces), in Swift 6 mode and without warnings. Nothing tests how they look.
@Suite("Views for SwiftUI")
struct ViewTypeCheckTests {
    @Test("V3 each file of views is compiled where SwiftUI is, and script/test has it type-checked")
    func views() throws {
        let interfaces = ScriptCheck.repository.appending(path: "Tests/AppleInterfaces/SwiftUI")
        #expect(try !FileManager.default.contentsOfDirectory(atPath: interfaces.path).isEmpty)
        let views = ScriptCheck.repository.appending(path: "Sources/GodwitUI/Views")
        let names = try FileManager.default.contentsOfDirectory(atPath: views.path)
        var count = 0
        for name in names {
            let text = try String(contentsOf: views.appending(path: name), encoding: .utf8)
            guard let place = text.firstRange(of: "import SwiftUI") else { continue }
            count += 1
            #expect(text[..<place.lowerBound].contains("canImport(SwiftUI)"), "\(name)")
        }
        #expect(count >= 7)
        let steps = try String(contentsOf: ScriptCheck.repository.appending(path: "script/test"), encoding: .utf8)
        #expect(steps.contains("script/apple"))
    }
}
#endif
