import GodwitCore

/// Takes lines of `Set-Cookie` apart that were joined with commas.
package enum SetCookieLines {
    /// The cookies of a joined value.
    ///
    /// A comma begins a new cookie where a name and `=` follow it; the one in `Expires=Wed, 09 Jun` does not.
    package static func split(_ joined: String) -> [String] {
        var cookies: [Substring] = []
        var start = joined.startIndex
        var rest = joined[...]
        while let comma = rest.firstIndex(of: ",") {
            rest = joined[joined.index(after: comma)...]
            guard beginsCookie(rest) else { continue }
            cookies.append(joined[start..<comma])
            start = rest.startIndex
        }
        cookies.append(joined[start...])
        return cookies.map { String($0).trimmingBlanks }.filter { !$0.isEmpty }
    }

    private static func beginsCookie(_ text: Substring) -> Bool {
        let name = text.drop { $0 == " " || $0 == "\t" }.prefix { $0 != "=" && $0 != ";" && $0 != "," }
        return name.endIndex < text.endIndex && text[name.endIndex] == "=" && Token.isValid(String(name))
    }
}
