// What Godwit uses of Apple's CryptoKit, declared so that its callers can be type-checked elsewhere. Nothing of it works.
public import FoundationEssentials

public enum CryptoKitError: Error {
    case incorrectKeySize
}

public struct SHA256Digest: Sequence, Sendable {
    public func makeIterator() -> IndexingIterator<[UInt8]> { [].makeIterator() }
}

public struct SHA256: Sendable {
    public static func hash(data: some DataProtocol) -> SHA256Digest { SHA256Digest() }
}

public enum Insecure {
    public struct MD5Digest: Sequence, Sendable {
        public func makeIterator() -> IndexingIterator<[UInt8]> { [].makeIterator() }
    }

    public struct MD5: Sendable {
        public static func hash(data: some DataProtocol) -> MD5Digest { MD5Digest() }
    }
}

public enum P256 {
    public enum Signing {
        public struct ECDSASignature: Sendable {
            public init(rawRepresentation: some DataProtocol) throws { throw CryptoKitError.incorrectKeySize }
            public var rawRepresentation: Data { Data() }
        }

        public struct PublicKey: Sendable {
            public init(derRepresentation: some RandomAccessCollection<UInt8>) throws {
                throw CryptoKitError.incorrectKeySize
            }
            public var derRepresentation: Data { Data() }
            public var rawRepresentation: Data { Data() }
            public func isValidSignature(_ signature: ECDSASignature, for data: some DataProtocol) -> Bool { false }
        }

        public struct PrivateKey: Sendable {
            public init(compactRepresentable: Bool = true) {}
            public init(derRepresentation: some RandomAccessCollection<UInt8>) throws {
                throw CryptoKitError.incorrectKeySize
            }
            public var derRepresentation: Data { Data() }
            public var publicKey: PublicKey { get { fatalError() } }
            public func signature(for data: some DataProtocol) throws -> ECDSASignature {
                throw CryptoKitError.incorrectKeySize
            }
        }
    }
}

public enum Curve25519 {
    public enum Signing {
        public struct PublicKey: Sendable {
            public init(rawRepresentation: some ContiguousBytes) throws { throw CryptoKitError.incorrectKeySize }
            public var rawRepresentation: Data { Data() }
            public func isValidSignature(_ signature: some DataProtocol, for data: some DataProtocol) -> Bool { false }
        }

        public struct PrivateKey: Sendable {
            public init() {}
            public init(rawRepresentation: some ContiguousBytes) throws { throw CryptoKitError.incorrectKeySize }
            public var rawRepresentation: Data { Data() }
            public var publicKey: PublicKey { get { fatalError() } }
            public func signature(for data: some DataProtocol) throws -> Data { Data() }
        }
    }
}
