#if canImport(Security)
import GodwitSupport
import Security
public import GodwitCore

/// Keeps a token in the keychain of this device, readable after the first unlock since the device started.
///
/// ```swift
/// let store = KeychainTokenStore(service: "com.example.reader", account: "ann")
/// ```
///
/// The token isn't part of backups. Throws `.unavailable` before the first unlock, and in a program without a keychain
/// entitlement (macOS); throws `.other` with the system's message for other failures.
public struct KeychainTokenStore: TokenStore, Hashable {
    private let service: String
    private let account: String
    private let accessGroup: String?

    /// A file that the processes which share the token lock while they refresh it. `nil` if only one uses it.
    public let lockFile: URL?

    /// Creates a store for the token of a service and an account.
    ///
    /// - Parameters:
    ///   - service: The program.
    ///   - account: The owner of the token.
    ///   - accessGroup: The group of programs that share the token. `nil` (the default) means only this one.
    ///   - lockFile: A file in the container of an app group, for an app and its extensions that share the token: one of them
    ///     refreshes it for all. It need not exist. `nil` by default.
    public init(service: String, account: String, accessGroup: String? = nil, lockFile: URL? = nil) {
        self.lockFile = lockFile
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
    }

    /// Reads the token; `nil` if there is none.
    public func load() async throws(TokenStoreError) -> AccessToken? {
        let data = try await BlockingWork.run { [self] in
            Result { () throws(TokenStoreError) -> Data? in
                var query = item
                query[kSecReturnData as String] = true
                query[kSecMatchLimit as String] = kSecMatchLimitOne
                var found: CFTypeRef?
                let status = SecItemCopyMatching(query as CFDictionary, &found)
                if status == errSecItemNotFound { return nil }
                try Self.check(status)
                return found as? Data
            }
        }.get()
        guard let data else { return nil }
        return try StoredToken.decode(data)
    }

    /// Adds or replaces the token.
    public func save(_ token: AccessToken) async throws(TokenStoreError) {
        let data = try StoredToken.encode(token)
        try await BlockingWork.run { [self] in
            Result { () throws(TokenStoreError) in
                // An item that was created elsewhere may be readable while the device is locked.
                let content: [String: Any] = [
                    kSecValueData as String: data,
                    kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                ]
                let status = SecItemUpdate(item as CFDictionary, content as CFDictionary)
                guard status == errSecItemNotFound else { return try Self.check(status) }
                let added = SecItemAdd(item.merging(content) { $1 } as CFDictionary, nil)
                // Another process of the group has added it.
                guard added == errSecDuplicateItem else { return try Self.check(added) }
                try Self.check(SecItemUpdate(item as CFDictionary, content as CFDictionary))
            }
        }.get()
    }

    /// Removes the token.
    public func clear() async throws(TokenStoreError) {
        try await BlockingWork.run { [self] in
            Result { () throws(TokenStoreError) in
                let status = SecItemDelete(item as CFDictionary)
                if status != errSecItemNotFound { try Self.check(status) }
            }
        }.get()
    }

    private var item: [String: Any] {
        var item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecAttrAccount as String: account, kSecUseDataProtectionKeychain as String: true,
        ]
        item[kSecAttrAccessGroup as String] = accessGroup
        return item
    }

    private static func check(_ status: OSStatus) throws(TokenStoreError) {
        guard status != errSecSuccess else { return }
        let words = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "status \(status)"
        if status == errSecInteractionNotAllowed || status == errSecNotAvailable || status == errSecMissingEntitlement {
            throw .unavailable(service: "the keychain", reason: words)
        }
        throw .other(reason: "the keychain failed: \(words)")
    }
}
#endif
