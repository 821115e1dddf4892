/// Why a token could not be read or kept.
public enum TokenStoreError: Error, Sendable, Hashable {
    /// Others than the owner may read or write the file; its permission bits.
    case loosePermissions(path: String, mode: UInt32)
    /// The file belongs to another user.
    case foreignOwner(path: String)
    /// The path is a symbolic link.
    case symbolicLink(path: String)
    /// The path is not a regular file.
    case notAFile(path: String)
    /// The file does not hold a token.
    case damaged(path: String)
    /// The system refused: what was tried, and its words.
    case system(operation: String, path: String, reason: String)
    /// What the store needs is not there, such as a library or a service of the desktop.
    case unavailable(service: String, reason: String)
    /// A store of another kind failed.
    case other(reason: String)
}

extension TokenStoreError: CustomStringConvertible, LocalizedError {
    /// What is wrong, and what to do about it.
    public var description: String {
        switch self {
        case .loosePermissions(let path, let mode):
            "\(path) has mode 0\(String(mode, radix: 8)), so others may read it; run: chmod 600 \(path)"
        case .foreignOwner(let path): "\(path) belongs to another user"
        case .symbolicLink(let path): "\(path) is a symbolic link; name the file itself"
        case .notAFile(let path): "\(path) is not a regular file"
        case .damaged(let path): "\(path) does not hold a token; remove it and sign in again"
        case .system(let operation, let path, let reason): "cannot \(operation) \(path): \(reason)"
        case .unavailable(let service, let reason): "\(service) is not available: \(reason)"
        case .other(let reason): reason
        }
    }

    /// What `localizedDescription` says: ``description``.
    public var errorDescription: String? { description }
}

extension NetworkError {
    init(_ error: TokenStoreError) {
        self.init(.file(reason: error.description), phase: .middleware, underlying: error)
    }
}
