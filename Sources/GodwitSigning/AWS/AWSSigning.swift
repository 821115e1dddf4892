public import GodwitCore
import Synchronization

/// Signs the requests of a client with AWS Signature Version 4.
///
/// ```swift
/// let signer = AWSSigner(service: "execute-api", region: "eu-central-1") { try await vault.awsCredentials() }
/// let api = APIClient(baseURL: "https://abc.execute-api.eu-central-1.amazonaws.com/v1") {
///     $0.attemptMiddleware.append(AWSSigning(signer, for: "https://abc.execute-api.eu-central-1.amazonaws.com"))
/// }
/// ```
///
/// Add it to `ClientConfiguration.attemptMiddleware`: each attempt and redirect is then signed as it is sent. Requests to
/// other origins pass unsigned, and so do requests with an `Authorization` of their own.
///
/// If the server refuses a request, and its `Date` differs from this machine's clock by more than 5 minutes, the request is
/// signed with the server's time and sent again once; later requests use that time. Responses and errors show `redacted`
/// instead of the session token.
public final class AWSSigning: Middleware {
    private let signer: AWSSigner
    private let origins: AllowedOrigins
    /// What the server's clock is ahead of this machine's, in seconds.
    private let skew = Mutex(0.0)

    /// Creates a middleware that signs the requests for some origins.
    ///
    /// - Parameters:
    ///   - signer: Signs the requests.
    ///   - origins: URLs of the only origins whose requests are signed. Calls throw `.invalidURL` if one isn't valid.
    public init(_ signer: AWSSigner, for origins: any HTTPURLConvertible...) {
        self.signer = signer
        self.origins = AllowedOrigins(origins)
    }

    /// Signs the request, and passes the call on.
    ///
    /// - Throws: The errors of ``AWSSigner/signed(_:)`` and of the chain, and `.insecure(.plaintext)` for plain http to another
    ///   machine.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard try origins.contain(call), !call.request.fields.contains(.authorization) else {
            return try await next(call)
        }
        let used = skew.withLock(\.self)
        // A refused response is released in `outcome`: its body has to end before the request is sent again.
        switch try await outcome(of: call, skew: used, next) {
        case .final(let response): return response
        case .skewed(let again, let actual):
            skew.withLock { $0 = actual }
            return try await send(again, skew: actual, next)
        }
    }

    private enum Outcome {
        case final(HTTPResponse)
        case skewed(Call, Double)
    }

    private func outcome(of call: Call, skew used: Double, _ next: Next) async throws(NetworkError) -> Outcome {
        let response = try await send(call, skew: used, next)
        guard let actual = ClockSkew(of: response, at: signer.currentTime)?.seconds,
            abs(actual - used) > ClockSkew.limit, call.request.body?.isReplayable ?? true
        else { return .final(response) }
        var again = call
        again.startAttempt(after: response)
        return .skewed(again, actual)
    }

    private func send(_ call: Call, skew: Double, _ next: Next) async throws(NetworkError) -> HTTPResponse {
        let (request, credentials) = try await signer.signed(
            call.request, at: signer.currentTime.addingTimeInterval(skew))
        var call = call
        call.request = request
        call.originBoundFields.insert(.sessionToken)
        do throws(NetworkError) {
            var response = try await next(call)
            response.request = credentials.concealed(in: response.request)
            return response
        } catch {
            var error = error
            error.request = error.request.map(credentials.concealed)
            throw error
        }
    }
}

/// How far a server's clock is from this machine's, as the refusal of a request shows.
struct ClockSkew {
    /// AWS accepts requests that are up to 5 minutes old, S3 up to 15.
    static let limit = 300.0

    let seconds: Double

    /// `nil` if the response isn't a refusal of the server, or doesn't say the time.
    init?(of response: HTTPResponse, at now: Date) {
        guard [400, 401, 403].contains(response.head.status.code), response.metrics.source == .network,
            let text = response.head.fields.agreedValue(of: .date), let date = HTTPDate.parse(text, now: now)
        else { return nil }
        seconds = date.timeIntervalSince(now)
    }
}

extension HTTPField.Name {
    fileprivate static let sessionToken = Self(unchecked: "X-Amz-Security-Token")
}

extension AWSCredentials {
    /// The request as responses and errors show it.
    fileprivate func concealed(in request: HTTPRequest) -> HTTPRequest {
        guard sessionToken != nil, request.fields[.sessionToken] == sessionToken else { return request }
        var request = request
        request.fields[.sessionToken] = "redacted"
        return request
    }
}
