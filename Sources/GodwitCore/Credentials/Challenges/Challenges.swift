/// Answers servers that ask for a name and password: Basic (RFC 7617) and Digest (RFC 7616).
///
/// ```swift
/// Challenges { question in
///     question.origin == device ? PasswordCredential(user: "admin", password: password) : nil
/// }
/// ```
///
/// - A 401 is answered with what the ``CredentialProvider`` says, and the request is sent again, where its content can be.
///   The strongest challenge is taken: Digest with SHA-256, with MD5, then Basic.
/// - A credential that was accepted goes along with later requests to the same protection space unasked. It is kept in
///   memory as long as the middleware, and not longer than the account: a client that signs in or out drops it.
/// - A refused one is asked for anew, up to three times for a request; the last 401 is then the answer.
/// - Credentials go over https, and over http to this machine; any other 401 is left as it is. They never leave the origin
///   that asked, so this stands below ``Redirects``, which makes each hop a request of its own.
/// - A request with an `Authorization` of its own, and one whose ``RequestOptions/authentication`` is `.none`, pass as
///   they are.
///
/// A 407 is left as it is too. What looks like a proxy's may be any server's, and a proxy's credentials belong into its URL.
public struct Challenges: Middleware {
    /// How often one request may ask for credentials.
    private static let maximumQuestions = 3
    /// How often one request may be sent; more than the questions, as a nonce may have expired in between.
    private static let maximumSends = 6

    private let provider: any CredentialProvider
    let spaces = ProtectionSpaces()
    /// Whose passwords are kept; `nil` outside of a client.
    var session: AccountSession?
    private let random: RandomSource

    /// Makes the middleware, with credentials from a provider.
    ///
    /// - Parameter provider: Is asked for each protection space, and again after a credential was refused.
    public init(_ provider: some CredentialProvider) {
        self.init(provider, random: SystemRandomNumberGenerator())
    }

    /// Makes the middleware, with credentials from a closure.
    ///
    /// - Parameter credential: As ``CredentialProvider/credential(for:)``.
    public init(_ credential: @escaping @Sendable (CredentialQuestion) async -> PasswordCredential?) {
        self.init(CredentialClosure(answer: credential))
    }

    /// - Parameter random: What client nonces are drawn from.
    package init(_ provider: some CredentialProvider, random: some RandomNumberGenerator & Sendable) {
        self.provider = provider
        self.random = RandomSource(random)
    }

    /// Passes the call on, and answers its challenge where there is a credential for it.
    ///
    /// - Parameters:
    ///   - call: The call so far.
    ///   - next: The rest of the chain.
    ///
    /// A challenge that cannot be answered leaves the 401 as it is.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard Self.mayAnswer(call.request) else { return try await next(call) }
        var call = call
        var answer = spaces.answer(to: call.request)
        var progress = Progress()
        while true {
            // A refused response lives no longer than this: what is left of it ends before the request is sent again.
            switch try await outcome(of: call, with: answer, &progress, next) {
            case .final(let response): return response
            case .again(let another):
                answer = another
                call.startAttempt(after: call.attempt)
            }
        }
    }

    private enum Outcome {
        case final(HTTPResponse)
        case again(ChallengeAnswer)
    }

    private struct Progress {
        var sends = 0
        var refusals = 0
    }

    private static func mayAnswer(_ request: HTTPRequest) -> Bool {
        let origin = request.url.origin
        return request.options.authentication == .required && !request.fields.contains(.authorization)
            && (origin.scheme == .https || origin.isLoopback)
    }

    private func outcome(
        of call: Call, with answer: ChallengeAnswer?, _ progress: inout Progress, _ next: Next
    ) async throws(NetworkError) -> Outcome {
        let response = try await Self.send(call, with: answer, next)
        progress.sends += 1
        guard response.head.status == .unauthorized else {
            if let answer { accept(answer, response.head, call) }
            return .final(response)
        }
        let challenge = AnswerableChallenge.best(in: response.head)
        let isRefused = answer.map { !Self.isOutdated($0, challenge) } ?? false
        if let answer, isRefused {
            spaces.forget(answer.space)
            progress.refusals += 1
        }
        guard let challenge, call.request.body?.isReplayable ?? true, progress.sends < Self.maximumSends,
            let space = await space(for: challenge, call.request, after: answer, isRefused, progress.refusals)
        else { return .final(response) }
        var counted = space
        var another = ChallengeAnswer(with: &counted, to: call.request)
        another.isKept = false
        return .again(another)
    }

    /// Whether the credential was right, and only what it was hashed with too old.
    private static func isOutdated(_ answer: ChallengeAnswer, _ challenge: AnswerableChallenge?) -> Bool {
        guard let challenge else { return false }
        return challenge.isStale && answer.space.scheme == .digest && challenge.realm == answer.space.realm
    }

    private func accept(_ answer: ChallengeAnswer, _ head: HTTPResponseHead, _ call: Call) {
        guard let session else { return accept(answer, head) }
        session.keep(session.stamp(of: call)) { accept(answer, head) }
    }

    private func accept(_ answer: ChallengeAnswer, _ head: HTTPResponseHead) {
        guard !answer.isKept else { return spaces.note(head, for: answer.space) }
        var space = answer.space
        space.note(head)
        spaces.keep(space)
    }

    /// The space to answer for, with its credential; nil where there is none to be had.
    private func space(
        for challenge: AnswerableChallenge, _ request: HTTPRequest, after answer: ChallengeAnswer?, _ isRefused: Bool,
        _ refusals: Int
    ) async -> ProtectionSpace? {
        let url = request.url
        func make(_ credential: PasswordCredential) -> ProtectionSpace {
            ProtectionSpace(challenge, of: url, credential: credential, clientNonce: clientNonce())
        }
        if let answer, !isRefused { return make(answer.space.credential) }
        // Another request may have been told a credential meanwhile that this one has not tried.
        let draft = make(answer?.space.credential ?? PasswordCredential(user: "", password: ""))
        if let known = spaces.credential(for: draft), known != answer?.space.credential { return make(known) }
        guard refusals < Self.maximumQuestions else { return nil }
        let question = CredentialQuestion(
            origin: url.origin, realm: challenge.realm, scheme: challenge.scheme, failureCount: refusals)
        return await provider.credential(for: question).map(make)
    }

    private func clientNonce() -> String {
        random.draw { generator in
            let words = (0..<2).map { _ in generator.next().bigEndian }
            return Hexadecimal.encode(words.flatMap { word in withUnsafeBytes(of: word) { Array($0) } })
        }
    }

    private static func send(
        _ call: Call, with answer: ChallengeAnswer?, _ next: Next
    ) async throws(NetworkError) -> HTTPResponse {
        guard let attachment = answer?.attachment else { return try await next(call) }
        do throws(NetworkError) {
            var response = try await next(try attachment.attached(to: call))
            response.request = attachment.concealed(in: response.request)
            return response
        } catch {
            guard let request = error.request else { throw error }
            var error = error
            error.request = attachment.concealed(in: request)
            throw error
        }
    }
}
