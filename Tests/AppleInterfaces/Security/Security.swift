// What Godwit uses of Apple's Security, declared so that its callers can be type-checked elsewhere. Nothing of it works.
//
// Core Foundation's types are Swift's own here, as there is no bridge outside of Apple's systems; there `as` crosses it.
public import FoundationEssentials

public typealias OSStatus = Int32
public typealias CFString = String
public typealias CFData = Data
public typealias CFArray = [AnyObject]
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = AnyObject
public typealias CFIndex = Int

public typealias CFTypeID = UInt
public typealias CFAllocator = AnyObject

public final class CFError: Error {
    private init() {}
}

public func CFErrorGetCode(_ err: CFError) -> CFIndex { 0 }
public func CFGetTypeID(_ cf: CFTypeRef) -> CFTypeID { 0 }

public let errSecSuccess: OSStatus = 0
public let errSecItemNotFound: OSStatus = -25_300
public let errSecDuplicateItem: OSStatus = -25_299
public let errSecNotAvailable: OSStatus = -25_291
public let errSecInteractionNotAllowed: OSStatus = -25_308
public let errSecMissingEntitlement: OSStatus = -34_018
public let errSecHostNameMismatch: OSStatus = -67_602
public let errSecCertificateExpired: OSStatus = -67_818
public let errSecCertificateNotValidYet: OSStatus = -67_819

public let kSecClass: CFString = ""
public let kSecClassGenericPassword: CFString = ""
public let kSecAttrService: CFString = ""
public let kSecAttrAccount: CFString = ""
public let kSecAttrAccessGroup: CFString = ""
public let kSecAttrAccessible: CFString = ""
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = ""
public let kSecUseDataProtectionKeychain: CFString = ""
public let kSecReturnData: CFString = ""
public let kSecMatchLimit: CFString = ""
public let kSecMatchLimitOne: CFString = ""
public let kSecValueData: CFString = ""

public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { -4 }
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { -4 }
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus { -4 }
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { -4 }
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? { nil }

public final class SecTrust {
    private init() {}
}

public final class SecCertificate {
    private init() {}
}

public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool { false }
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { Data() }
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { nil }
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus { -4 }
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus { -4 }

public final class SecIdentity {
    private init() {}
}

public let kSecImportExportPassphrase: CFString = ""
public let kSecImportItemIdentity: CFString = ""
public let kSecImportItemCertChain: CFString = ""

public func SecIdentityGetTypeID() -> CFTypeID { 0 }
public func SecPKCS12Import(
    _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus { -4 }

public final class SecKey {
    private init() {}
}

public struct SecKeyAlgorithm: Hashable, Sendable {
    public static let rsaSignatureMessagePKCS1v15SHA256 = SecKeyAlgorithm()
    public static let rsaSignatureMessagePSSSHA512 = SecKeyAlgorithm()
}

public let kSecAttrKeyType: CFString = ""
public let kSecAttrKeyTypeRSA: CFString = ""
public let kSecAttrKeyClass: CFString = ""
public let kSecAttrKeyClassPrivate: CFString = ""
public let kSecAttrKeyClassPublic: CFString = ""

public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<CFError?>?
) -> SecKey? { nil }
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { nil }
public func SecKeyCopyExternalRepresentation(_ key: SecKey, _ error: UnsafeMutablePointer<CFError?>?) -> CFData? { nil }
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { 0 }
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData, _ error: UnsafeMutablePointer<CFError?>?
) -> CFData? { nil }
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<CFError?>?
) -> Bool { false }
