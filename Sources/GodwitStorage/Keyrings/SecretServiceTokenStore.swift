#if os(Linux)
public import GodwitCore
import GodwitLibc
import GodwitSupport

/// Keeps a token in the desktop's keyring, such as GNOME's or KDE's, with the Secret Service API.
///
/// ```swift
/// let store = SecretServiceTokenStore(service: "com.example.reader", account: "ann")
/// ```
///
/// Loads libsecret on first use. Throws `.unavailable` if libsecret, the session bus or the service is missing, as on
/// servers; use ``FileTokenStore`` there. A call waits without a limit while a locked keyring asks its owner.
public struct SecretServiceTokenStore: TokenStore, Hashable {
    private static let library = Result { () throws(TokenStoreError) in try LibSecret() }

    private let attributes: [String: String]
    private let label: String

    /// A file in the folder of the user's session (`XDG_RUNTIME_DIR`, or else `/run/user/UID`), so that several processes can
    /// use the token. `nil` if there is no such folder.
    public var lockFile: URL? {
        let variable = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"]
        let folder = variable.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/run/user/\(geteuid())"
        guard access(folder, W_OK) == 0 else { return nil }
        let subject = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "\0")
        let name = Hexadecimal.encode(SHA256.digest(subject.utf8).prefix(16))
        return URL(filePath: "\(folder)/godwit-\(name).lock")
    }

    /// Creates a store for the token of a service and an account.
    ///
    /// - Parameters:
    ///   - service: The program, as a reverse domain name.
    ///   - account: The owner of the token.
    ///   - label: The name shown by the keyring. Service and account by default.
    public init(service: String, account: String, label: String? = nil) {
        attributes = ["xdg:schema": "godwit.AccessToken", "service": service, "account": account]
        self.label = label ?? "\(service): \(account)"
    }

    /// Reads the token; `nil` if there is none.
    public func load() async throws(TokenStoreError) -> AccessToken? {
        guard let text = try await call({ library throws(TokenStoreError) in try library.lookup(attributes) }) else {
            return nil
        }
        return try StoredToken.decode(Data(text.utf8))
    }

    /// Adds or replaces the token.
    public func save(_ token: AccessToken) async throws(TokenStoreError) {
        let text = String(decoding: try StoredToken.encode(token), as: UTF8.self)
        try await call { library throws(TokenStoreError) in try library.store(text, attributes, label: label) }
    }

    /// Removes the token.
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
