public import GodwitCore
import GodwitSupport

/// A sign-in on another device in progress (RFC 8628).
///
/// ```swift
/// let device = try await oauth.deviceAuthorization(scopes: ["articles"])
/// print("Open \(device.verificationURL) and enter \(device.userCode)")
/// let response = try await oauth.token(for: device)
/// ```
///
/// The description leaves out the codes.
public struct DeviceAuthorization: Sendable {
    /// The code that the person enters.
    public let userCode: String

    /// The page where the person enters the code.
    public let verificationURL: String

    /// The page with the code filled in, as for a QR code, if the server has one.
    public let completeVerificationURL: String?

    /// When the codes stop working.
    public let expiry: Date

    /// The initial time between two requests for the token.
    public let interval: Duration

    let deviceCode: String
}

extension DeviceAuthorization {
    init(_ response: Response, at now: Date) {
        userCode = response.user_code
        verificationURL = response.verification_uri
        completeVerificationURL = response.verification_uri_complete
        let lifetime = response.expires_in.value ?? 0
        expiry = now.addingTimeInterval(min(max(0, lifetime), 86_400))
        // The default of RFC 8628 section 3.2.
        let interval = response.interval?.value ?? 5
        self.interval = .seconds(min(max(interval, 0), 3600))
        deviceCode = response.device_code
    }

    /// The names are those of RFC 8628 section 3.2.
    struct Response: Decodable {
        let device_code: String
        let user_code: String
        let verification_uri: String
        let verification_uri_complete: String?
        let expires_in: OAuthTokenResponse.Seconds
        let interval: OAuthTokenResponse.Seconds?
    }
}

extension DeviceAuthorization: CustomStringConvertible, CustomReflectable {
    /// The page, without the codes.
    public var description: String { "DeviceAuthorization(\(verificationURL), <redacted>)" }

    /// Empty, so that printing by reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

// The device authorization grant (RFC 8628).
extension OAuth2 {
    private static let grantType = "urn:ietf:params:oauth:grant-type:device_code"

    /// Starts a sign-in on another device (RFC 8628 section 3.1).
    ///
    /// - Parameter scopes: The requested scopes. Without any, the server decides.
    /// - Throws: `.unsupported` if the server has no such endpoint, and the errors of the exchange.
    public func deviceAuthorization(scopes: [String] = []) async throws(NetworkError) -> DeviceAuthorization {
        let url = try endpoint(server.deviceAuthorizationURL, "device authorization")
        let data = try await call.post(Self.scope(scopes), to: url, as: client)
        return DeviceAuthorization(try call.decode(DeviceAuthorization.Response.self, from: data), at: now())
    }

    /// Polls for the token until the sign-in ends (RFC 8628 section 3.4).
    ///
    /// After a connection failure, the interval doubles, until the codes expire.
    ///
    /// - Parameter device: The result of ``deviceAuthorization(scopes:)``.
    /// - Throws: `.unauthorized` if the person refuses or the codes expire, and `.cancelled` if the task is canceled.
    public func token(for device: DeviceAuthorization) async throws(NetworkError) -> OAuthTokenResponse {
        var interval = device.interval
        while true {
            try await pause(interval)
            guard now() < device.expiry else {
                throw NetworkError(.unauthorized, phase: .middleware, underlying: OAuthError(code: "expired_token"))
            }
            do throws(NetworkError) {
                return try await grant(["grant_type": Self.grantType, "device_code": device.deviceCode])
            } catch {
                guard let next = Self.interval(after: error, interval) else { throw error }
                interval = next
            }
        }
    }

    /// The time until the next request; `nil` if polling ends.
    private static func interval(after error: NetworkError, _ interval: Duration) -> Duration? {
        switch (error.underlying as? OAuthError)?.code {
        case "authorization_pending": interval
        case "slow_down": interval + .seconds(5)
        case nil where error.isRetryable: max(interval * 2, .seconds(1))
        default: nil
        }
    }

    private func pause(_ duration: Duration) async throws(NetworkError) {
        do {
            try await clock.sleep(for: duration.bounded)
        } catch {
            throw NetworkError(.cancelled, phase: .middleware)
        }
    }
}
