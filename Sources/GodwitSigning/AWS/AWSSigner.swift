public import GodwitCore
import GodwitSupport

/// Signs requests with AWS Signature Version 4, for AWS and for storage that speaks its protocol.
///
/// ```swift
/// let signer = AWSSigner(service: "s3", region: "eu-central-1") { try await vault.awsCredentials() }
/// let link = try await signer.presignedURL("https://bucket.s3.eu-central-1.amazonaws.com/tern.jpg", expiresIn: .seconds(600))
/// ```
///
/// Use ``AWSSigning`` to sign the requests of a client.
public struct AWSSigner: Sendable {
    /// How a signature covers the body.
    public enum Payload: Sendable, Hashable {
        /// Covers the body by its SHA-256. A file or stream is read twice.
        case signed
        /// Doesn't cover the body, which TLS protects. For S3, and bodies that can be read once.
        case unsigned
    }

    /// The longest time that a presigned URL can be valid: 7 days.
    public static let maximumExpiry = Duration.seconds(604_800)

    /// The name of the service in signatures, such as `s3` or `execute-api`.
    public let service: String

    /// The region, such as `eu-central-1`.
    public let region: String

    private let payload: Payload
    private let credentials: @Sendable () async throws -> AWSCredentials
    private let now: @Sendable () -> Date

    /// Creates a signer for a service in a region.
    ///
    /// - Parameters:
    ///   - service: The name of the service in signatures.
    ///   - region: The region.
    ///   - payload: How a signature covers the body. By its SHA-256 by default.
    ///   - now: The time of a signature.
    ///   - credentials: Returns the current credentials; runs for each signature. Cache them there.
    public init(
        service: String, region: String, payload: Payload = .signed, now: @escaping @Sendable () -> Date = { Date() },
        credentials: @escaping @Sendable () async throws -> AWSCredentials
    ) {
        self.service = service
        self.region = region
        self.payload = payload
        self.now = now
        self.credentials = credentials
    }

    /// The request with `Authorization`, `X-Amz-Date` and, if needed, a session token.
    ///
    /// - Throws: `.invalidRequest` if the body can't be read twice, and the errors of the credentials closure: one of another
    ///   type as the `underlying` error of `.unauthorized`.
    public func signed(_ request: HTTPRequest) async throws(NetworkError) -> HTTPRequest {
        try await signed(request, at: now()).request
    }

    /// A URL that performs one request without further credentials, until it expires. Treat it as a secret.
    ///
    /// ```swift
    /// let url = try await signer.presignedURL("https://bucket.s3.eu-central-1.amazonaws.com/tern.jpg", method: .put)
    /// ```
    ///
    /// - Parameters:
    ///   - url: The URL of the resource.
    ///   - method: The method of the request. GET by default.
    ///   - duration: How long it is valid, from 1 s to ``maximumExpiry``. 15 minutes by default.
    /// - Throws: `.invalidURL`, and the errors of the credentials closure.
    public func presignedURL(
        _ url: some HTTPURLConvertible, method: HTTPMethod = .get, expiresIn duration: Duration = .seconds(900)
    ) async throws(NetworkError) -> HTTPURL {
        let request = try HTTPRequest(method: method, url: url)
        let credentials = try await current(for: request)
        guard let scope = AWSSigningScope(now(), region: region, service: service) else { throw Self.badTime }
        let seconds = min(max(duration, .seconds(1)), Self.maximumExpiry).components.seconds
        var items: QueryItems = [
            "X-Amz-Algorithm": AWSSigningScope.algorithm,
            "X-Amz-Credential": "\(credentials.accessKeyID)/\(scope.text)",
            "X-Amz-Date": scope.time, "X-Amz-Expires": "\(seconds)", "X-Amz-SignedHeaders": "host",
        ]
        if let token = credentials.sessionToken { items.append("X-Amz-Security-Token", token) }
        let unsigned = AWSCanonicalRequest.uniform(request.url.appending(items), path: pathRule)
        let canonical = AWSCanonicalRequest(
            method, unsigned, [.host: unsigned.origin.hostAndPort],
            payload: isS3 ? AWSPayload.unsigned : AWSPayload.empty,
            path: pathRule)
        return unsigned.appending(["X-Amz-Signature": scope.signature(canonical, secret: credentials.secretAccessKey)])
    }
}

extension AWSSigner {
    /// The time by this machine's clock.
    var currentTime: Date { now() }

    private var isS3: Bool { service == "s3" || service == "s3-object-lambda" || service == "s3express" }

    private var pathRule: AWSCanonicalRequest.PathRule { isS3 ? .asInURL : .encodedAgain }

    /// Signs a request for a time, and returns the credentials that it was signed with.
    func signed(
        _ request: HTTPRequest, at time: Date
    ) async throws(NetworkError) -> (request: HTTPRequest, credentials: AWSCredentials) {
        let credentials = try await current(for: request)
        guard let scope = AWSSigningScope(time, region: region, service: service) else { throw Self.badTime }
        let digest = try await digest(of: request)
        var request = request
        request.url = AWSCanonicalRequest.uniform(request.url, path: pathRule)
        request.note(.value(credentials.secretAccessKey))
        request.fields["X-Amz-Date"] = scope.time
        request.fields["X-Amz-Security-Token"] = credentials.sessionToken
        if let token = credentials.sessionToken { request.note(.value(token)) }
        if isS3 || digest == AWSPayload.unsigned { request.fields["X-Amz-Content-Sha256"] = digest }
        var fields = request.fields.signedByAWS
        fields[.host] = request.url.origin.hostAndPort
        let canonical = AWSCanonicalRequest(request.method, request.url, fields, payload: digest, path: pathRule)
        let authorization = scope.authorization(
            canonical, accessKeyID: credentials.accessKeyID, secret: credentials.secretAccessKey)
        request.fields[.authorization] = authorization
        request.note(.credentials(authorization))
        return (request, credentials)
    }

    private func digest(of request: HTTPRequest) async throws(NetworkError) -> String {
        guard payload == .signed else { return AWSPayload.unsigned }
        guard let body = request.body else { return AWSPayload.empty }
        return Hexadecimal.encode(try await body.digest())
    }

    private func current(for request: HTTPRequest) async throws(NetworkError) -> AWSCredentials {
        do {
            return try await credentials()
        } catch {
            var known = error as? NetworkError
            if error is CancellationError { known = NetworkError(.cancelled, phase: .middleware) }
            var failure = known ?? NetworkError(.unauthorized, phase: .middleware, underlying: error)
            failure.request = failure.request ?? request
            throw failure
        }
    }

    private static var badTime: NetworkError {
        NetworkError(.invalidRequest(reason: "the time isn't in the years 0 to 9999"), phase: .building)
    }
}

extension HTTPFields {
    /// The fields that a signature covers.
    fileprivate var signedByAWS: HTTPFields { keeping(AWSCanonicalRequest.signs) }
}
