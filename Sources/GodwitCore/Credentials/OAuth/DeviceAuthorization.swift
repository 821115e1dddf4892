/// A sign-in on another device that is under way (RFC 8628): what to show the person, and how to ask for the outcome.
///
/// ```swift
/// let device = try await oauth.deviceAuthorization(scopes: ["articles"])
/// print("Open \(device.verificationURL) and enter \(device.userCode)")
/// let response = try await oauth.token(for: device)
/// ```
///
/// It describes itself without its codes.
public struct DeviceAuthorization: Sendable {
    /// What the person types in.
    public let userCode: String

    /// Where the person types it in.
    public let verificationURL: String

    /// The same page with the code filled in, as for a QR code; nil where the server has none.
    public let completeVerificationURL: String?

    /// When the codes stop working.
    public let expiry: Date

    /// How long to wait between two questions for the outcome, at first.
    public let interval: Duration

    let deviceCode: String
}

extension DeviceAuthorization {
    init(_ answer: Answer, at now: Date) {
        userCode = answer.user_code
        verificationURL = answer.verification_uri
        completeVerificationURL = answer.verification_uri_complete
        let lifetime = answer.expires_in.value ?? 0
        expiry = now.addingTimeInterval(min(max(0, lifetime), 86_400))
        // RFC 8628 section 3.2: 5 seconds where nothing is said.
        let interval = answer.interval?.value ?? 5
        self.interval = .seconds(min(max(interval, 0), 3600))
        deviceCode = answer.device_code
    }

    /// The names are those of RFC 8628 section 3.2.
    struct Answer: Decodable {
        let device_code: String
        let user_code: String
        let verification_uri: String
        let verification_uri_complete: String?
        let expires_in: OAuthTokenResponse.Seconds
        let interval: OAuthTokenResponse.Seconds?
    }
}

extension DeviceAuthorization: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The page alone: who knows a code could use it.
    public var description: String { "DeviceAuthorization(\(verificationURL), <redacted>)" }
    public var debugDescription: String { description }

    /// Nothing: what prints values by reflection sees no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

// The device authorization grant (RFC 8628).
extension OAuth2 {
    private static let grantType = "urn:ietf:params:oauth:grant-type:device_code"

    /// Begins a sign-in on another device (RFC 8628 section 3.1).
    ///
    /// ```swift
    /// let device = try await oauth.deviceAuthorization(scopes: ["articles"])
    /// print("Open \(device.verificationURL) and enter \(device.userCode)")
    /// let response = try await oauth.token(for: device)
    /// ```
    ///
    /// - Parameter scopes: What the token shall be good for; none leaves it to the server.
    ///
    /// Throws `.unsupported` where the server has no such endpoint, and what the exchange throws.
    public func deviceAuthorization(scopes: [String] = []) async throws(NetworkError) -> DeviceAuthorization {
        let url = try endpoint(server.deviceAuthorizationURL, "device authorization")
        let data = try await call.post(Self.scope(scopes), to: url, as: client)
        return DeviceAuthorization(try call.decode(DeviceAuthorization.Answer.self, from: data), at: now())
    }

    /// Asks for the outcome until there is one (RFC 8628 section 3.4), as often as the server allows.
    ///
    /// Throws `.unauthorized` where the person refuses or the codes expire, and `.cancelled` when the task is
    /// cancelled. A connection that fails is tried again after twice the time, until the codes expire.
    ///
    /// - Parameter device: What ``deviceAuthorization(scopes:)`` returned.
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

    /// How long to wait before the next question; nil where there is none.
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
            try await clock.sleep(for: duration)
        } catch {
            throw NetworkError(.cancelled, phase: .middleware)
        }
    }
}
