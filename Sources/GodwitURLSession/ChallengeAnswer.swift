/// What a challenge is answered with.
struct ChallengeAnswer: Sendable {
    var disposition: URLSession.AuthChallengeDisposition
    var credential: URLCredential?

    /// As without us.
    static let byDefault = ChallengeAnswer(disposition: .performDefaultHandling)
    /// As if nobody had asked: an answer that asks is handed up.
    static let passed = ChallengeAnswer(disposition: .rejectProtectionSpace)
    /// No, and so no exchange.
    static let refused = ChallengeAnswer(disposition: .cancelAuthenticationChallenge)
}
