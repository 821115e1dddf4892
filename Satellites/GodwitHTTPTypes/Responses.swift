#if HTTPTypes
public import GodwitCore
public import HTTPTypes

extension HTTPTypes.HTTPResponse {
    /// Converts the status and header fields.
    ///
    /// - Throws: ``HTTPTypesConversionError`` for header fields that can't be sent.
    public init(_ head: HTTPResponseHead) throws(HTTPTypesConversionError) {
        self.init(
            status: Status(code: head.status.code), headerFields: try HTTPTypes.HTTPFields(head.fields))
    }
}

extension HTTPResponseHead {
    /// Converts the status and header fields. The reason phrase, which HTTP/2 doesn't have, is dropped.
    ///
    /// - Throws: ``HTTPTypesConversionError`` for a status below 100, a pseudo field, or a value with whitespace around
    ///   it.
    public init(_ response: HTTPTypes.HTTPResponse) throws(HTTPTypesConversionError) {
        guard let status = HTTPStatus(response.status.code) else { throw .status(response.status.code) }
        self.init(status: status, fields: try GodwitCore.HTTPFields(response.headerFields))
    }
}
#endif
