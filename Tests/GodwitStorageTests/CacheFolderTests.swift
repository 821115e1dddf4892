#if os(Linux)
import GodwitStorage
import Testing

@Suite("C2 the folder for caches")
struct CacheFolderTests {
    @Test(
        "C2 the cache folder follows the XDG specification",
        arguments: [
            (["XDG_CACHE_HOME": "/x", "HOME": "/h"], "/x/app"), (["HOME": "/h"], "/h/.cache/app"),
            (["XDG_CACHE_HOME": "", "HOME": "/h"], "/h/.cache/app"),
            (["XDG_CACHE_HOME": "relative", "HOME": "/h"], "/h/.cache/app"),
        ])
    func places(_ variables: [String: String], _ path: String) throws {
        #expect(try CacheFolder.standard(for: "app", variables: variables).path == path)
    }

    @Test("C2 an invalid folder name is rejected", arguments: ["", ".", "..", "a/b", "/", "a\u{0}"])
    func names(_ name: String) {
        #expect(throws: NetworkError.self) { try CacheFolder.standard(for: name, variables: ["HOME": "/h"]) }
    }

    @Test("C2 without a home directory, an error is thrown")
    func homeless() {
        #expect(throws: NetworkError.self) { try CacheFolder.standard(for: "app", variables: [:]) }
    }
}
#endif
