import GodwitCore

/// A response head that was read, and what it says about the content behind it.
struct ResponseHead {
    let status: HTTPStatus
    let fields: HTTPFields
    /// The declared number of bytes of content as it is sent; nil where none is declared, or a transfer coding is used.
    let contentLength: Int64?
    /// Whether the length is told in two ways, which may differ (RFC 9112 section 6.3).
    let isFramedTwice: Bool
    /// The value of `Content-Encoding`.
    let contentEncoding: String?

    init(status: HTTPStatus, fields: HTTPFields) {
        self.status = status
        self.fields = fields
        let isTransferCoded = fields.contains(.transferEncoding)
        let declared = ContentLength.value(in: fields)
        contentLength = isTransferCoded ? nil : declared
        isFramedTwice = isTransferCoded && declared != nil
        contentEncoding = fields[.contentEncoding]
    }
}
