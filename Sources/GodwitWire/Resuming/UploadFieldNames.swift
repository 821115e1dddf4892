// Field names of tus 1.0.0 and of resumable uploads for HTTP (draft-ietf-httpbis-resumable-upload). Both use
// `Upload-Offset` and `Upload-Length`.
extension HTTPField.Name {
    /// How many bytes the server has, or where the request's bytes begin (tus; draft section 4.1).
    package static let uploadOffset = Self(unchecked: "Upload-Offset")
    /// The size of the whole upload in bytes (tus; draft section 4.3).
    package static let uploadLength = Self(unchecked: "Upload-Length")

    /// Names and base64 values that describe the upload (tus, Creation).
    package static let uploadMetadata = Self(unchecked: "Upload-Metadata")
    /// The digest of a request's bytes (tus, Checksum).
    package static let uploadChecksum = Self(unchecked: "Upload-Checksum")
    /// When the server forgets an incomplete upload (tus, Expiration).
    package static let uploadExpires = Self(unchecked: "Upload-Expires")
    /// `partial`, or `final` with the URLs of the parts (tus, Concatenation).
    package static let uploadConcat = Self(unchecked: "Upload-Concat")
    /// The version that the message follows (tus).
    package static let tusResumable = Self(unchecked: "Tus-Resumable")
    /// The versions that the server supports (tus).
    package static let tusVersion = Self(unchecked: "Tus-Version")
    /// The extensions that the server supports (tus).
    package static let tusExtension = Self(unchecked: "Tus-Extension")
    /// The maximum size of an upload in bytes (tus).
    static let tusMaxSize = Self(unchecked: "Tus-Max-Size")
    /// The digest algorithms that the server supports (tus, Checksum).
    package static let tusChecksumAlgorithm = Self(unchecked: "Tus-Checksum-Algorithm")

    /// Whether the upload is complete after this message (draft section 4.2).
    package static let uploadComplete = Self(unchecked: "Upload-Complete")
    /// Limits of the server (draft section 4.4).
    package static let uploadLimit = Self(unchecked: "Upload-Limit")
    /// The iteration of the draft (draft appendix).
    package static let uploadDraftInteropVersion = Self(unchecked: "Upload-Draft-Interop-Version")
}
