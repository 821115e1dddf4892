/// What a server says about an upload in a response's fields: how much it has, and until when.
///
/// A pure reading of untrusted values: what can't be read counts as not said.
package struct UploadReport: Sendable, Hashable {
    /// The protocols of resumable uploads.
    package enum Grammar: Sendable, Hashable {
        /// tus 1.0.0.
        case tus
        /// draft-ietf-httpbis-resumable-upload, interop version 6 (draft 05).
        case ietf
    }

    /// The interop version that the client announces: draft 05, which URLSession and other shipped peers speak.
    package static let interopVersion = "6"

    /// The number of bytes that the server has; `nil` if it doesn't say.
    package let offset: Int64?
    /// The size of the whole upload; `nil` if the server doesn't say.
    package let length: Int64?
    /// Whether the server has the whole upload; `nil` if it doesn't say.
    package let isComplete: Bool?
    /// When the server forgets the upload; `nil` if it doesn't say.
    package let expires: Date?
    package let limits: UploadLimits?
    /// The upload's URL, not resolved yet.
    package let location: String?

    /// - Parameter now: The time for `Upload-Limit: max-age`, and for dates with a two-digit year.
    package init(_ fields: HTTPFields, _ grammar: Grammar, now: Date) {
        let number: (HTTPField.Name) -> Int64? = { name in
            guard let text = fields.agreedValue(of: name) else { return nil }
            return grammar == .tus ? StructuredField.decimal(text.trimmingBlanks) : StructuredField.integer(text)
        }
        offset = number(.uploadOffset)
        length = number(.uploadLength)
        location = fields.agreedValue(of: .location)
        switch grammar {
        case .tus:
            isComplete = nil
            limits = nil
            expires = fields.agreedValue(of: .uploadExpires).flatMap { HTTPDate.parse($0, now: now) }
        case .ietf:
            let limits = UploadLimits(fields)
            isComplete = fields.agreedValue(of: .uploadComplete).flatMap { StructuredField.boolean($0) }
            self.limits = limits
            expires = limits?.maximumAge.map { now.addingTimeInterval(TimeInterval($0)) }
        }
    }
}
