#if canImport(Security)
import Security

/// Keeps a token in the keychain of this device, readable once the device was unlocked after its start.
///
/// ```swift
/// let store = KeychainTokenStore(service: "com.example.reader", account: "ann")
/// ```
///
/// The token does not leave the device with backups. While the device was not unlocked since its start, and for a program
/// that is not signed with an entitlement to the keychain (macOS), `.unavailable` is thrown; other failures of the system
/// as `.other`, with its words.
public struct KeychainTokenStore: TokenStore, Hashable {
    private let service: String
    private let account: String
    private let accessGroup: String?

    /// Makes a store for one token, which a service and an account name.
    ///
    /// - Parameters:
    ///   - service: The program.
    ///   - account: Whose token it is.
    ///   - accessGroup: The group of programs that share it; nil for this one alone.
    public init(service: String, account: String, accessGroup: String? = nil) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
    }

    /// Reads the token; nil where there is none.
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

    /// Adds the token, or replaces the one that is there.
    ///
    /// - Parameter token: The token.
    public func save(_ token: AccessToken) async throws(TokenStoreError) {
        let data = try StoredToken.encode(token)
        try await BlockingWork.run { [self] in
            Result { () throws(TokenStoreError) in
                // Also for an item that something else made, which others could read while the device is locked.
                let content: [String: Any] = [
                    kSecValueData as String: data,
                    kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                ]
                let status = SecItemUpdate(item as CFDictionary, content as CFDictionary)
                guard status == errSecItemNotFound else { return try Self.check(status) }
                let added = SecItemAdd(item.merging(content) { $1 } as CFDictionary, nil)
                // Another process of the group was faster.
                guard added == errSecDuplicateItem else { return try Self.check(added) }
                try Self.check(SecItemUpdate(item as CFDictionary, content as CFDictionary))
            }
        }.get()
    }

    /// Removes the token, where there is one.
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
        throw .other(reason: "the keychain refused: \(words)")
    }
}
#endif
