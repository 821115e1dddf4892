import GodwitSupport

/// Answers servers that request a name and password: Basic (RFC 7617) and Digest (RFC 7616).
///
/// ```swift
/// Challenges { question in
///     question.origin == device ? PasswordCredential(user: "admin", password: password) : nil
/// }
/// ```
///
/// - A 401 is answered with a credential of the ``CredentialProvider``: the request is sent again if its body is
///   replayable. The strongest challenge is answered: Digest with SHA-256, Digest with MD5, then Basic.
/// - An accepted credential is sent with later requests to the same protection space. It is kept in memory as long as
///   the middleware, and until the client's account changes.
/// - After a refusal, the provider is asked again, up to three times for a request. The last 401 is then returned.
/// - Credentials are sent over https, and over http to this machine, and only to the origin that requested them.
///   Therefore, place this middleware below ``Redirects``.
/// - A request passes unchanged if it has an `Authorization` field, or if its ``RequestOptions/authentication`` is
///   `.none`.
///
/// A 407 is returned as is: any server can send one. Write a proxy's credentials into its URL.
public struct Challenges: Middleware {
    private let provider: any CredentialProvider
    let spaces = ProtectionSpaces()
    /// The session that accepted credentials belong to; `nil` outside of a client.
    var session: AccountSession?
    private let random: RandomSource

    /// Creates a middleware that answers challenges with the credentials of a provider.
    ///
    /// - Parameter provider: Provides the credential of each protection space, and another after a refusal.
    public init(_ provider: some CredentialProvider) {
        self.init(provider, random: SystemRandomNumberGenerator())
    }

    /// Creates a middleware that answers challenges with the credentials that a closure returns.
    ///
    /// - Parameter credential: See ``CredentialProvider/credential(for:)``.
    public init(_ credential: @escaping @Sendable (CredentialQuestion) async -> PasswordCredential?) {
        self.init(CredentialClosure(answer: credential))
    }

    /// - Parameter random: Generates client nonces.
    package init(_ provider: some CredentialProvider, random: some RandomNumberGenerator & Sendable) {
        self.provider = provider
        self.random = RandomSource(random)
    }

    /// Passes the call on, and answers its challenges.
    ///
    /// If no credential is available, the 401 is returned.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard Self.canAnswer(call) else { return try await next(call) }
        var call = call
        var answer = spaces.answer(to: call.request)
        var exchange = ChallengeExchange()
        while true {
            // A refused response is released in `outcome`: its body has to end before the request is sent again.
            switch try await outcome(of: call, with: answer, &exchange, next) {
            case .final(let response): return response
            case .again(let another):
                answer = another
                call.startAttempt(after: call.attempt)
            }
        }
    }

    private static func canAnswer(_ call: Call) -> Bool {
        call.request.options.authentication == .required && !call.request.fields.contains(.authorization)
            && call.isConfidential
    }
}

/// Decides how one call answers its challenges.
struct ChallengeExchange: Sendable {
    /// The credential that the request carried.
    enum Answer: Sendable, Hashable {
        case none
        /// It was right, and only its nonce too old.
        case outdated
        case refused
    }

    enum Action: Sendable, Hashable {
        case finish
        /// Send the same credential with the nonce of the challenge.
        case repeatAnswer
        /// Send another credential. The provider may be asked if `mayAsk` is true.
        case findCredential(failureCount: Int, mayAsk: Bool)
    }

    private static let maximumQuestions = 3
    /// More than the questions, as a nonce may expire in between.
    private static let maximumSends = 6

    private var sends = 0
    private var refusals = 0

    init() {}

    /// Handles a 401.
    mutating func handle(_ answer: Answer, canRepeat: Bool) -> Action {
        sends += 1
        if answer == .refused { refusals += 1 }
        guard canRepeat, sends < Self.maximumSends else { return .finish }
        if answer == .outdated { return .repeatAnswer }
        return .findCredential(failureCount: refusals, mayAsk: refusals < Self.maximumQuestions)
    }
}

extension Challenges {
    private enum Outcome {
        case final(HTTPResponse)
        case again(ChallengeAnswer)
    }

    private func outcome(
        of call: Call, with answer: ChallengeAnswer?, _ exchange: inout ChallengeExchange, _ next: Next
    ) async throws(NetworkError) -> Outcome {
        let response = try await Self.send(call, with: answer, next)
        guard response.head.status == .unauthorized else {
            if let answer { accept(answer, response.head, call) }
            return .final(response)
        }
        let challenge = AnswerableChallenge.strongest(of: response.head.fields.values(of: .wwwAuthenticate))
        let state = answer.map { $0.isOutdated(by: challenge) ? .outdated : .refused } ?? ChallengeExchange.Answer.none
        if let answer, state == .refused { spaces.remove(answer.space) }
        let canRepeat = challenge != nil && call.request.body?.isReplayable ?? true
        let action = exchange.handle(state, canRepeat: canRepeat)
        guard let challenge, var space = await space(for: action, challenge, call.request.url, after: answer) else {
            return .final(response)
        }
        var another = ChallengeAnswer(with: &space, to: call.request)
        another.isKept = false
        return .again(another)
    }

    private func accept(_ answer: ChallengeAnswer, _ head: HTTPResponseHead, _ call: Call) {
        func accept() {
            guard !answer.isKept else { return spaces.update(answer.space, from: head) }
            var space = answer.space
            space.update(from: head)
            spaces.keep(space)
        }
        guard let session else { return accept() }
        session.keep(session.stamp(of: call), accept)
    }

    /// The space to answer for, with a credential; `nil` if none is available.
    private func space(
        for action: ChallengeExchange.Action, _ challenge: AnswerableChallenge, _ url: HTTPURL,
        after answer: ChallengeAnswer?
    ) async -> ProtectionSpace? {
        func space(_ credential: PasswordCredential) -> ProtectionSpace {
            ProtectionSpace(challenge, of: url, credential: credential, clientNonce: clientNonce())
        }
        let former = answer?.space.credential
        switch action {
        case .finish: return nil
        case .repeatAnswer: return former.map(space)
        case .findCredential(let failureCount, let mayAsk):
            // Another request may have got a credential meanwhile.
            let draft = space(former ?? PasswordCredential(user: "", password: ""))
            if let known = spaces.credential(for: draft), known != former { return space(known) }
            guard mayAsk else { return nil }
            let question = CredentialQuestion(
                origin: url.origin, realm: challenge.realm, scheme: challenge.scheme, failureCount: failureCount)
            return await provider.credential(for: question).map(space)
        }
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
        guard let answer else { return try await next(call) }
        let attachment = answer.attachment
        do throws(NetworkError) {
            var response = try await next(try answer.attached(to: call))
            attachment.conceal(in: &response.request)
            return response
        } catch {
            throw attachment.concealed(in: error)
        }
    }
}
