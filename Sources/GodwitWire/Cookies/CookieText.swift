/// What names, values and paths of cookies may consist of (RFC 6265bis sections 5.6 and 5.7).
enum CookieText {
    /// The most bytes that name and value may have together.
    static let limit = 4096

    /// Whether there are control characters other than a tab.
    static func hasControls(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
    }

    /// Whether a text begins with a prefix, compared without case.
    static func begins(_ text: String, with prefix: String) -> Bool {
        text.utf8.count >= prefix.utf8.count
            && zip(text.utf8, prefix.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}
