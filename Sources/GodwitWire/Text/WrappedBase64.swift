extension Data {
    /// Decodes Base64 whose lines may be wrapped, as MIME's are (RFC 2045 section 6.8); `nil` if it contains anything else.
    package init?(wrappedBase64 text: String) {
        self.init(base64Encoded: Data(text.utf8.filter { !" \t\r\n".utf8.contains($0) }))
    }
}
