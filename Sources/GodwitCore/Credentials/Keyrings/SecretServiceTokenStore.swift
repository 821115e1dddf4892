#if os(Linux)
/// Keeps a token in the desktop's keyring, such as GNOME's or KDE's, through the Secret Service.
///
/// ```swift
/// let store = SecretServiceTokenStore(service: "com.example.reader", account: "ann")
/// ```
///
/// libsecret is loaded when it is first used. Where it, the session's bus or the service is missing, as on servers,
/// calls throw `.unavailable`; ``FileTokenStore`` works there. A locked keyring asks its owner, however long that takes.
public struct SecretServiceTokenStore: TokenStore, Hashable {
    private static let library = Result { () throws(TokenStoreError) in try LibSecret() }

    private let attributes: [String: String]
    private let label: String

    /// Makes a store for one token, which a service and an account name.
    ///
    /// - Parameters:
    ///   - service: The program, best in the form of a domain turned around.
    ///   - account: Whose token it is.
    ///   - label: What the keyring's own windows call it; service and account by default.
    public init(service: String, account: String, label: String? = nil) {
        attributes = ["xdg:schema": "godwit.AccessToken", "service": service, "account": account]
        self.label = label ?? "\(service): \(account)"
    }

    /// Reads the token; nil where there is none. May wait for the person to unlock the keyring.
    public func load() async throws(TokenStoreError) -> AccessToken? {
        guard let text = try await call({ library throws(TokenStoreError) in try library.lookup(attributes) }) else {
            return nil
        }
        return try StoredToken.decode(Data(text.utf8))
    }

    /// Adds the token, or replaces the one that is there.
    ///
    /// - Parameter token: The token.
    public func save(_ token: AccessToken) async throws(TokenStoreError) {
        let text = String(decoding: try StoredToken.encode(token), as: UTF8.self)
        try await call { library throws(TokenStoreError) in try library.store(text, attributes, label: label) }
    }

    /// Removes the token, where there is one.
    public func clear() async throws(TokenStoreError) {
        try await call { library throws(TokenStoreError) in try library.clear(attributes) }
    }

    private func call<Value: Sendable>(
        _ body: @escaping @Sendable (LibSecret) throws(TokenStoreError) -> Value
    ) async throws(TokenStoreError) -> Value {
        try await BlockingWork.run {
            Result { () throws(TokenStoreError) in try body(Self.library.get()) }
        }.get()
    }
}
#endif
