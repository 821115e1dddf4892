#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Describes a store that can't be used, or that lost something, while calls continue without it.
///
/// ```swift
/// for await diagnostic in Diagnostics.shared.updates { logger.warning("\(diagnostic)") }
/// ```
///
/// Holds the path of the store and the system's reason, and no stored value: it is fit for a log.
public struct StorageDiagnostic: Sendable, Hashable {
    /// What is kept in the store.
    public enum Store: String, Sendable, Hashable, CaseIterable {
        /// Responses of a disk cache.
        case responses
        /// Models of a disk cache.
        case models
        /// The cookie jar's file.
        case cookies
        /// A token's file.
        case tokens
        /// An HTTP archive that is recorded.
        case archive
        /// The ticket by which a download resumes.
        case tickets
        /// The queue of background transfers.
        case transfers
    }

    /// Why the store can't be used.
    public enum Problem: String, Sendable, Hashable, CaseIterable {
        /// It can't be opened or created, for a reason that ``StorageDiagnostic/detail`` says.
        case unavailable
        /// The system denies access.
        case noPermission = "no_permission"
        /// The file system is read-only.
        case readOnly = "read_only"
        /// The disk, or the user's share of it, is full.
        case diskFull = "disk_full"
        /// It belongs to another user, or a symbolic link of another user leads there.
        case wrongOwner = "wrong_owner"
        /// Its content is damaged. It is renamed, and a new store takes its place.
        case damaged
        /// A newer version of the library wrote it. It is left as it is.
        case newerVersion = "newer_version"
        /// Another process held its lock for too long.
        case locked
    }

    /// What is kept in the store.
    public let store: Store

    /// Why the store can't be used.
    public let problem: Problem

    /// The path of the file or folder.
    public let path: String

    /// The system's or the store's own reason; empty if the problem says everything.
    public let detail: String

    /// Makes a diagnostic, for a store of your own.
    ///
    /// - Parameters:
    ///   - store: What is kept in the store.
    ///   - problem: Why the store can't be used.
    ///   - path: The path of the file or folder.
    ///   - detail: The reason in words, without secrets. Empty by default.
    public init(_ store: Store, _ problem: Problem, path: String, detail: String = "") {
        self.store = store
        self.problem = problem
        self.path = path
        self.detail = detail
    }
}

extension StorageDiagnostic: CustomStringConvertible {
    /// What happened, to what, and what follows from it, in one line.
    public var description: String {
        let reason = detail.isEmpty ? "" : " (\(detail))"
        return "the \(store.name) \(path) \(problem.text)\(reason); \(consequence)"
    }

    private var consequence: String {
        switch (problem, store) {
        case (.damaged, .transfers): "it was set aside, and its jobs are lost"
        case (.damaged, .responses), (.damaged, .models): "it was set aside, and a new one is used"
        case (.newerVersion, _): "it is left as it is, and not used"
        case (_, .responses): "responses are not kept"
        case (_, .models): "models are not kept"
        case (_, .cookies): "cookies are kept in memory only"
        case (_, .tokens): "the token is not kept"
        case (_, .archive): "the archive is not written"
        case (_, .tickets): "the download starts over"
        case (_, .transfers): "jobs are not accepted"
        }
    }
}

extension StorageDiagnostic.Store {
    fileprivate var name: String {
        switch self {
        case .responses: "response cache"
        case .models: "model cache"
        case .cookies: "cookie file"
        case .tokens: "token file"
        case .archive: "HTTP archive"
        case .tickets: "download ticket"
        case .transfers: "transfer queue"
        }
    }
}

extension StorageDiagnostic.Problem {
    fileprivate var text: String {
        switch self {
        case .unavailable: "can't be used"
        case .noPermission: "can't be used: permission denied"
        case .readOnly: "can't be written: the file system is read-only"
        case .diskFull: "can't be written: the disk is full"
        case .wrongOwner: "can't be used: it belongs to another user"
        case .damaged: "is damaged"
        case .newerVersion: "was written by a newer version"
        case .locked: "is locked by another process"
        }
    }

    /// The problem that an error number of the system stands for.
    package init(systemCode: Int32) {
        self =
            switch systemCode {
            case EACCES, EPERM: .noPermission
            case EROFS: .readOnly
            case ENOSPC, EDQUOT, EFBIG: .diskFull
            case EWOULDBLOCK, EBUSY: .locked
            default: .unavailable
            }
    }

    /// The problem that a reason ends with, where the reason was made with `strerror`.
    package init(reason: String) {
        let codes = [EACCES, EPERM, EROFS, ENOSPC, EDQUOT, EFBIG, EBUSY]
        let code = codes.first { reason.hasSuffix(String(cString: strerror($0))) }
        self = code.map { Self(systemCode: $0) } ?? (reason.contains("another user") ? .wrongOwner : .unavailable)
    }
}
