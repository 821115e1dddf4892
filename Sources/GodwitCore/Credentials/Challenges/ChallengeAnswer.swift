/// A credential on its way with one request.
struct ChallengeAnswer: Sendable {
    /// The space as it was when the request went out.
    let space: ProtectionSpace
    let attachment: Credential.Attachment
    /// Whether it is kept already, as it was accepted before.
    var isKept = true

    init(with space: inout ProtectionSpace, to request: HTTPRequest) {
        attachment = space.attachment(for: request)
        self.space = space
    }
}
