public import GodwitCore

/// A signature that a message carries (RFC 9421), to verify it.
///
/// ```swift
/// let signature = try MessageSignature.all(in: response.head.fields).first
/// try signature?.verify(response, with: verificationKey, covering: [.status, .field(.contentDigest)])
/// ```
public struct MessageSignature: Sendable, Hashable {
    private let fields: SignatureFields

    /// The name of the signature in the message.
    public var label: String { fields.label }

    /// What the signature covers, and what it says of itself. Trustworthy only after verification.
    public var parameters: SignatureParameters { fields.parameters }

    /// Reads the signatures of a message, in order; empty if it has none.
    ///
    /// - Throws: `.invalidResponse` if the fields are malformed.
    public static func all(in fields: HTTPFields) throws(NetworkError) -> [MessageSignature] {
        do throws(SignatureFault) {
            return try SignatureFields.all(in: fields).map(MessageSignature.init)
        } catch {
            throw Self.failure(error.reason)
        }
    }

    private init(_ fields: SignatureFields) {
        self.fields = fields
    }

    /// Verifies the signature of a response.
    ///
    /// The body isn't read: if the signature covers `Content-Digest`, compare it with the body.
    ///
    /// - Parameters:
    ///   - response: The response, with the request as it was sent.
    ///   - key: The key of the signer.
    ///   - components: The parts that the signature must cover. A signature can cover nothing.
    ///   - now: The time, to compare with the expiry.
    /// - Throws: `.invalidResponse` with the reason if the signature doesn't count.
    public func verify(
        _ response: HTTPResponse, with key: VerificationKey, covering components: [SignatureComponent],
        at now: Date = Date()
    ) throws(NetworkError) {
        let request = SignedRequest(response.request.method, response.request.url, response.request.fields)
        let message = SignedMessage.response(response.head.status, response.head.fields, to: request)
        try verify(message, with: key, covering: components, at: now)
    }

    /// Verifies the signature of a request, for servers.
    ///
    /// - Parameters:
    ///   - request: The request, with its `Host` and other fields if the signature covers them.
    ///   - key: The key of the signer.
    ///   - components: The parts that the signature must cover. A signature can cover nothing.
    ///   - now: The time, to compare with the expiry.
    /// - Throws: `.invalidResponse` with the reason if the signature doesn't count.
    public func verify(
        _ request: HTTPRequest, with key: VerificationKey, covering components: [SignatureComponent],
        at now: Date = Date()
    ) throws(NetworkError) {
        let message = SignedMessage.request(SignedRequest(request.method, request.url, request.fields))
        try verify(message, with: key, covering: components, at: now)
    }

    private func verify(
        _ message: SignedMessage, with key: VerificationKey, covering components: [SignatureComponent], at now: Date
    ) throws(NetworkError) {
        let covered = Set(parameters.components.map(\.description))
        if let missing = components.first(where: { !covered.contains($0.description) }) {
            throw Self.failure("it doesn't cover \(missing)")
        }
        if let algorithm = parameters.algorithm, algorithm != key.algorithm.rawValue {
            throw Self.failure("it isn't made with \(key.algorithm)")
        }
        if let expires = parameters.expires, expires <= now { throw Self.failure("it has expired") }
        let base: Data
        do throws(SignatureFault) {
            base = try parameters.base(of: message)
        } catch {
            throw Self.failure(error.reason)
        }
        guard key.isValid(Data(fields.bytes), of: base) else { throw Self.failure("it doesn't match the message") }
    }

    private static func failure(_ reason: String) -> NetworkError {
        NetworkError(.invalidResponse(reason: "the message signature is invalid: \(reason)"), phase: .validating)
    }
}
