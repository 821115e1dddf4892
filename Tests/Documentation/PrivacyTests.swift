import Godwit
import Testing

/// The privacy manifest that Apple asks for names the categories of functions that the sources call.
@Suite("The privacy manifest")
struct PrivacyTests {
    /// A word of each category's functions that can only mean one of them.
    private static let words = [
        "FileTimestamp": ["fstat(", "lstat(", "modificationDate", "getattrlist"],
        "SystemBootTime": ["systemUptime", "mach_absolute_time"],
        "DiskSpace": ["statfs", "statvfs", "volumeAvailableCapacity", "systemFreeSize"],
        "UserDefaults": ["UserDefaults"],
        "ActiveKeyboards": ["activeInputModes"],
    ]

    @Test("I7 it names each category of functions with required reasons that the sources call, and no other")
    func categories() throws {
        let manifest = try Repository.text("Sources/GodwitPrivacy/PrivacyInfo.xcprivacy")
        // HTTP/3 by libcurl is only on Linux.
        let files = try Repository.sources(in: "Sources").filter { !$0.hasPrefix("Sources/GodwitHTTP3/") }
        let text = try files.map { try Repository.text($0) }.joined()
        for (category, words) in Self.words {
            let isCalled = words.contains { text.contains($0) }
            #expect(manifest.contains("NSPrivacyAccessedAPICategory\(category)<") == isCalled, "\(category)")
        }
    }

    @Test("I7 it declares no tracking and no collected data")
    func tracking() throws {
        let manifest = try Repository.text("Sources/GodwitPrivacy/PrivacyInfo.xcprivacy")
        #expect(manifest.contains("<key>NSPrivacyTracking</key>\n\t<false/>"))
        #expect(manifest.contains("<key>NSPrivacyCollectedDataTypes</key>\n\t<array/>"))
    }
}
