#if canImport(Darwin)
import Darwin
import Godwit

/// The desktop's browser.
enum Browser {
    /// Hands a page to the system's opener; whether that could be started. What becomes of it is not waited for.
    static func open(_ page: HTTPURL) -> Bool {
        var words: [UnsafeMutablePointer<CChar>?] = ["open", page.absoluteString].map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        return posix_spawnp(&process, "open", nil, nil, &words, environ) == 0
    }
}
#endif
