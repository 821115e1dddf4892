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
