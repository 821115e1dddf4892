/// The request that a redirect asks for, in terms of the one before it (RFC 9110 section 15.4).
package struct RedirectStep: Sendable, Hashable {
    /// The method to use.
    package let method: HTTPMethod

    /// Where to send it.
    package let url: HTTPURL

    /// Whether the content, if there was any, is sent again.
    package let keepsBody: Bool

    /// Whether the redirect leaves the origin, so that credentials stay behind.
    package let changesOrigin: Bool

    /// The fields of the next request.
    package func fields(from fields: HTTPFields) -> HTTPFields {
        HTTPFields(fields.filter { !isDropped($0.name) })
    }

    private func isDropped(_ name: HTTPField.Name) -> Bool {
        if changesOrigin, name.isSensitive || Self.originFields.contains(name) { return true }
        return !keepsBody && Self.contentFields.contains(name)
    }

    /// What speaks of the origin it was written for.
    private static let originFields: [HTTPField.Name] = [
        .host, .origin, .referer, "Cookie2", "Signature", "Signature-Input",
    ]

    /// What speaks of the content (RFC 9110 section 8, RFC 9530).
    private static let contentFields: [HTTPField.Name] = [
        .contentType, .contentEncoding, .contentLanguage, .contentLocation, .contentLength, .contentRange,
        .contentDisposition, .transferEncoding, .trailer, .expect, "Content-MD5", "Content-Digest", "Repr-Digest",
        "Digest",
    ]
}
