import GodwitLibc

/// A problem of a store that can't be used, or that lost data, while calls continue without it.
///
/// ```swift
/// for await diagnostic in Diagnostics.shared.updates { logger.warning("\(diagnostic)") }
/// ```
///
/// Contains the store's path and the system's reason, but no stored value: safe to log.
public struct StorageDiagnostic: Sendable, Hashable {
    /// The contents of a store.
    public enum Store: String, Sendable, Hashable, CaseIterable {
        /// Responses of a disk cache.
        case responses
        /// Models of a disk cache.
        case models
        /// The cookie jar's file.
        case cookies
        /// A token's file.
        case tokens
        /// An HTTP archive being recorded.
        case archive
        /// The ticket from which a download resumes.
        case tickets
        /// The queue of background transfers.
        case transfers
        /// The file of announcements of HTTP/3.
        case alternativeServices = "alternative_services"
        /// The file of hosts that are reached by HTTPS only.
        case hsts
        /// The server through which processes share limits, permits and tokens.
        case fleet
        /// The collector of traces and metrics.
        case telemetry
    }

    /// Why the store can't be used.
    public enum Problem: String, Sendable, Hashable, CaseIterable {
        /// It can't be opened or created; see ``StorageDiagnostic/detail``.
        case unavailable
        /// The system denies access.
        case noPermission = "no_permission"
        /// The file system is read-only.
        case readOnly = "read_only"
        /// The disk or the user's quota is full.
        case diskFull = "disk_full"
        /// It belongs to another user, or a symbolic link of another user leads to it.
        case wrongOwner = "wrong_owner"
        /// It is damaged. It is renamed, and a new store is created.
        case damaged
        /// A newer version of the library wrote it. It stays unchanged.
        case newerVersion = "newer_version"
        /// Another process held its lock for too long.
        case locked
        /// It didn't answer in time.
        case slow
        /// Its memory is full.
        case memoryFull = "memory_full"
        /// It was restarted without its data.
        case emptied
    }

    /// The contents of the store.
    public let store: Store

    /// Why the store can't be used.
    public let problem: Problem

    /// The path of the file or folder.
    public let path: String

    /// The system's or the store's reason; may be empty.
    public let detail: String

    /// Creates a diagnostic, for a custom store.
    ///
    /// - Parameter detail: The reason in words, without secrets. Empty by default.
    public init(_ store: Store, _ problem: Problem, path: String, detail: String = "") {
        self.store = store
        self.problem = problem
        self.path = path
        self.detail = detail
    }
}

extension StorageDiagnostic: CustomStringConvertible {
    /// The problem, the store and the consequence, in one line.
    public var description: String {
        let reason = detail.isEmpty ? "" : " (\(detail))"
        return "the \(store.name) \(path) \(problem.text)\(reason); \(consequence)"
    }

    private var consequence: String {
        switch (problem, store) {
        case (.damaged, .transfers): "it was set aside, and its jobs are lost"
        case (.damaged, .responses), (.damaged, .models): "it was set aside, and a new one is used"
        case (.newerVersion, _): "it is left as it is, and not used"
        case (.emptied, .fleet): "it is filled again"
        case (_, .responses): "responses are not kept"
        case (_, .models): "models are not kept"
        case (_, .cookies): "cookies are kept in memory only"
        case (_, .tokens): "the token is not kept"
        case (_, .archive): "the archive is not written"
        case (_, .tickets): "the download starts over"
        case (_, .transfers): "jobs are not accepted"
        case (_, .alternativeServices): "announcements of HTTP/3 are kept in memory only"
        case (_, .hsts): "hosts that demand HTTPS are kept in memory only"
        case (_, .telemetry): "spans are kept up to a limit, metrics until the next export"
        case (_, .fleet): "this process uses its share of each limit until it is back"
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
        case .alternativeServices: "Alt-Svc file"
        case .hsts: "HSTS file"
        case .fleet: "fleet's server"
        case .telemetry: "telemetry collector"
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
        case .slow: "didn't answer in time"
        case .memoryFull: "can't be written: its memory is full"
        case .emptied: "lost its data"
        }
    }

    /// The problem for a system error number.
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

    /// The problem for a reason made with `strerror`.
    package init(reason: String) {
        let codes = [EACCES, EPERM, EROFS, ENOSPC, EDQUOT, EFBIG, EBUSY]
        let code = codes.first { reason.hasSuffix(String(cString: strerror($0))) }
        self = code.map { Self(systemCode: $0) } ?? Self(words: reason)
    }

    private init(words: String) {
        if words.contains("another user") {
            self = .wrongOwner
        } else {
            self = words.contains("is in use by") ? .locked : .unavailable
        }
    }
}
