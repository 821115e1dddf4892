import Godwit

/// Text from a server as a terminal may show it.
enum TerminalText {
    /// The text with control characters, which could move the cursor or worse, replaced.
    static func safe(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            safe.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
        }
        return safe
    }
}
