public import GodwitCore
import GodwitSupport

/// Signs requests with HTTP message signatures (RFC 9421).
///
/// ```swift
/// let key = try SigningKey(pem: pem, id: "reader-2026")
/// let api = APIClient(baseURL: "https://api.example.com/v1") {
///     $0.attemptMiddleware.append(MessageSigning(key, for: "https://api.example.com"))
/// }
/// ```
///
/// Add it to `ClientConfiguration.attemptMiddleware`: each attempt, redirect and refreshed token is then signed as it is
/// sent. Requests to other origins pass unsigned.
///
/// By default the signature covers the method, the URL, and the body by its digest in `Content-Digest` (RFC 9530). To sign a
/// file or a stream, it is read twice.
public struct MessageSigning: Middleware {
    /// What a signature covers and says.
    public struct Options: Sendable {
        /// The covered parts of the request. A field that a request doesn't have fails it.
        public var components: [SignatureComponent] = [.method, .targetURI]

        /// Whether a request with a body gets `Content-Digest`, which is covered. `true` by default.
        public var coversBody = true

        /// The name of the signature in the message.
        public var label = "sig1"

        /// How long the signature counts. `nil`, the default, leaves it to the server.
        public var lifetime: Duration?

        /// Whether the signature has a random nonce, so that servers can refuse a repetition. `false` by default.
        public var hasNonce = false

        /// Whether the signature names its algorithm. `false` by default: the key determines it.
        public var namesAlgorithm = false

        /// The application that the signature is for.
        public var tag: String?

        /// Returns the time of a signature. The system's clock by default.
        public var now: @Sendable () -> Date = { Date() }

        init() {}
    }

    private let signer: any MessageSigner
    private let origins: AllowedOrigins
    private let options: Options

    /// Creates a middleware that signs the requests for some origins.
    ///
    /// - Parameters:
    ///   - signer: The key.
    ///   - origins: URLs of the only origins whose requests are signed. Calls throw `.invalidURL` if one isn't valid.
    ///   - configure: Changes the options.
    public init(
        _ signer: some MessageSigner, for origins: any HTTPURLConvertible...,
        configure: (inout Options) -> Void = { _ in }
    ) {
        self.signer = signer
        self.origins = AllowedOrigins(origins)
        var options = Options()
        configure(&options)
        self.options = options
    }

    /// Signs the request, and passes the call on.
    ///
    /// - Throws: `.invalidRequest` if a covered part is missing, or the body can't be read twice; `.insecure(.plaintext)` for
    ///   plain http to another machine; the errors of the signer and of the chain.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard try origins.contain(call) else { return try await next(call) }
        var call = call
        try await prepare(&call.request)
        call.request = try await signed(call.request, next.fieldsAddedByTransport(to: call.request))
        return try await next(call)
    }

    private func prepare(_ request: inout HTTPRequest) async throws(NetworkError) {
        guard coversBody(of: request), !request.fields.contains(.contentDigest), let body = request.body else { return }
        request.fields[.contentDigest] = DigestField.text(sha256: try await body.digest())
    }

    private func coversBody(of request: HTTPRequest) -> Bool { options.coversBody && request.body != nil }

    /// - Parameter added: The fields that the transport adds, which a signature can cover as well.
    private func signed(_ request: HTTPRequest, _ added: HTTPFields) async throws(NetworkError) -> HTTPRequest {
        let parameters = parameters(for: request)
        var message = request.fields
        for field in added where !message.contains(field.name) { message.append(field) }
        do {
            let base = try parameters.base(of: .request(SignedRequest(request.method, request.url, message)))
            let bytes = Array(try await signer.signature(of: base))
            var request = request
            try SignatureFields(label: options.label, parameters: parameters, bytes: bytes).add(to: &request.fields)
            return request
        } catch let fault as SignatureFault {
            throw NetworkError(
                .invalidRequest(reason: "the request can't be signed: \(fault.reason)"), phase: .building,
                request: request)
        } catch {
            var error = NetworkError(thrown: error, phase: .middleware)
            error.request = error.request ?? request
            throw error
        }
    }

    private func parameters(for request: HTTPRequest) -> SignatureParameters {
        var components = options.components
        let digest = SignatureComponent.field(.contentDigest)
        if coversBody(of: request), !components.contains(digest) { components.append(digest) }
        let now = options.now()
        return SignatureParameters(
            components, created: now, keyID: signer.keyID,
            algorithm: options.namesAlgorithm ? signer.algorithm.rawValue : nil,
            expires: options.lifetime.map { now.addingTimeInterval($0 / .seconds(1)) },
            nonce: options.hasNonce ? Base64URL.encode(RandomBytes.make(16)) : nil, tag: options.tag)
    }
}
