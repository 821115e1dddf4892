/// A URL as logs and errors show it: values of query items that look like secrets are left out.
package struct RedactedURL: CustomStringConvertible {
    private let url: HTTPURL
    private let extraNames: Set<String>

    /// - Parameter extraNames: Further names of items to leave out, in lower case.
    package init(_ url: HTTPURL, extraNames: Set<String> = []) {
        self.url = url
        self.extraNames = extraNames
    }

    /// The URL without values that look like secrets.
    package var description: String {
        guard let query = url.query, RedactedText.holdsSecrets(query, extraNames) else { return url.absoluteString }
        return "\(url.origin)\(url.path)?\(RedactedText.form(query, extraNames: extraNames))"
    }
}
