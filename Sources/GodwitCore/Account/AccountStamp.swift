/// The generation of an account session in which a call was started.
///
/// ``AccountSession`` provides it and knows whether it is still the current one.
package struct AccountStamp: Sendable, Hashable {
    /// The session that it is from: generations of different sessions can't be compared.
    let session: ObjectIdentifier
    let generation: UInt64
}

/// Whether a request carries credentials.
public enum AuthenticationRequirement: Sendable, Hashable {
    /// `required` lets the client attach its credentials; `none` sends the request without them.
    case required, none
}

extension AccountStamp: RequestOption {
    package static var defaultValue: AccountStamp? { nil }
    /// Calls are compared by the account of the call itself.
    package static var affectsResponse: Bool { false }
}

extension AuthenticationRequirement: RequestOption {
    public static var defaultValue: AuthenticationRequirement { .required }
}

extension RequestOptions {
    /// Whether credentials are attached. ``AuthenticationRequirement/required`` by default.
    public var authentication: AuthenticationRequirement {
        @inline(__always) get { self[AuthenticationRequirement.self] }
        set { self[AuthenticationRequirement.self] = newValue }
    }

    /// The account that the request belongs to, if that was decided before it is sent: each connection of a stream that
    /// reconnects, each page of a list and each part of a download belongs to the account that the whole was started for.
    package var account: AccountStamp? {
        @inline(__always) get { self[AccountStamp.self] }
        set { self[AccountStamp.self] = newValue }
    }
}
