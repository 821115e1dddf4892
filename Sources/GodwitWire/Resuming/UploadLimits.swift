/// The limits of a server of resumable uploads: `Upload-Limit` (draft-ietf-httpbis-resumable-upload section 4.4).
package struct UploadLimits: Sendable, Hashable, Codable {
    /// The maximum size of an upload in bytes.
    package private(set) var maximumSize: Int64?
    /// The maximum size of one append in bytes.
    package private(set) var maximumAppend: Int64?
    /// The minimum size of one append in bytes, except for the last.
    package private(set) var minimumAppend: Int64?
    /// How long the upload is kept, in seconds.
    package private(set) var maximumAge: Int64?

    /// - Returns: `nil` without the field.
    package init?(_ fields: HTTPFields) {
        guard let text = fields[.uploadLimit] else { return nil }
        let members = StructuredField.integers(text)
        maximumSize = members["max-size"]
        maximumAppend = members["max-append-size"].flatMap { $0 > 0 ? $0 : nil }
        minimumAppend = members["min-append-size"]
        maximumAge = members["max-age"]
    }
}
