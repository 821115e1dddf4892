extension Cookie {
    /// Throws where a cookie cannot be kept, wherever it came from.
    package func check() throws(CookieRefusal) {
        guard !name.isEmpty || !value.isEmpty else { throw .empty }
        guard name.utf8.count + value.utf8.count <= CookieText.limit else { throw .tooLarge }
        try checkCharacters()
        guard path.utf8.first == UInt8(ascii: "/"), (try? HTTPURL("http://\(domain)/"))?.host == domain else {
            throw .invalidScope
        }
        if sameSite == .none, !isSecure { throw .insecureSameSite }
        try checkPrefix()
    }

    /// What would be read as something else when it is sent: a nameless value with `=` has a name.
    private func checkCharacters() throws(CookieRefusal) {
        let texts = [name, value, path]
        guard !texts.contains(where: { CookieText.hasControls($0) || $0.utf8.contains(UInt8(ascii: ";")) }),
            !(name.isEmpty ? value : name).utf8.contains(UInt8(ascii: "="))
        else { throw .invalidCharacter }
    }

    /// Section 5.7 steps 20 to 22. A value without a name is sent bare, and must not pass for a prefixed name.
    private func checkPrefix() throws(CookieRefusal) {
        let isHost = CookieText.begins(name, with: "__Host-")
        let isProtected = isHost || CookieText.begins(name, with: "__Secure-")
        let pretends = CookieText.begins(value, with: "__Host-") || CookieText.begins(value, with: "__Secure-")
        guard !isProtected || isSecure, !isHost || isHostOnly && path == "/", !name.isEmpty || !pretends else {
            throw .brokenPrefix
        }
    }
}
