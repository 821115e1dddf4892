#if canImport(Darwin)
import Darwin
import Godwit

/// The desktop's browser.
enum Browser {
    /// Opens a page with the system's opener. Returns whether the opener could be started.
    static func open(_ page: HTTPURL) -> Bool {
        var words: [UnsafeMutablePointer<CChar>?] = ["open", page.absoluteString].map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        return posix_spawnp(&process, "open", nil, nil, &words, environ) == 0
    }
}
#endif
