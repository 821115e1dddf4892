#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import CGodwitCurl
import GodwitCore
import GodwitSockets
import Synchronization

/// A transport's stores: the general one, and those of hosts that have a rule.
final class TrustStores: Sendable {
    let marker: TrustMarker
    let base: TrustStore
    /// By ``LoadedRules/Authorities/number``.
    let authorities: [TrustStore]
    fileprivate let files: [CertificateFile]

    fileprivate init(_ marker: TrustMarker, base: TrustStore, authorities: [TrustStore], files: [CertificateFile]) {
        (self.marker, self.base, self.authorities, self.files) = (marker, base, authorities, files)
    }
}

/// The source of a transport's trusted certificates.
struct TrustSource: Sendable {
    /// Trusted in addition to the system's.
    let additional: URL?
    let authorities: [LoadedRules.Authorities]

    init(_ configuration: CurlConfiguration, _ rules: LoadedRules?) {
        additional = configuration.additionalAuthorities
        authorities = rules?.numberedAuthorities ?? []
    }

    /// Reads and parses the files, unless they are unchanged since earlier stores. Blocks: about 20 ms for the system's bundle,
    /// once for all transports of a process.
    ///
    /// Returns nil if libcurl has to verify by itself: it uses a different TLS library, is older than 7.84, knows no bundle, or
    /// a file can't be used, which libcurl's error then reports.
    func load(replacing stores: TrustStores?) -> TrustStores? {
        CurlLibrary.prepare()
        guard godwit_can_check_chains() != 0, let bundle = CurlLibrary.systemAuthorities.file else { return nil }
        let paths = [bundle] + (additional.map { [$0.path] } ?? [])
        let files = paths.compactMap { CertificateFile.current(at: $0) }
        guard files.count == paths.count else { return nil }
        if let stores, stores.files.map(\.identity) == files.map(\.identity) { return stores }
        return make(of: files)
    }

    private func make(of files: [CertificateFile]) -> TrustStores? {
        let lists = files.map(\.certificates)
        let folder = CurlLibrary.systemAuthorities.folder
        guard let marker = TrustMarker.shared, let base = TrustStore(lists, folder: folder) else { return nil }
        let special = authorities.compactMap { entry in
            CertificateList(pem: entry.certificates).flatMap { own in
                entry.keepsSystem ? TrustStore([own] + lists, folder: folder) : TrustStore([own], folder: nil)
            }
        }
        guard special.count == authorities.count else { return nil }
        return TrustStores(marker, base: base, authorities: special, files: files)
    }
}

/// A file of certificates as it was last read.
private struct CertificateFile: Sendable {
    /// Differs after the file was changed or replaced.
    struct Identity: Equatable, Sendable {
        let device: UInt64
        let file: UInt64
        let size: Int64
        let seconds: Int
        let nanoseconds: Int

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(status.st_dev)
            file = UInt64(status.st_ino)
            size = Int64(status.st_size)
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    let identity: Identity
    let certificates: CertificateList

    /// The files that the process's transports use, by path.
    private static let known = Mutex<[String: CertificateFile]>([:])
    private static let mostKnown = 16

    /// The file's certificates, parsed again only if it changed; nil if it can't be read or is malformed.
    static func current(at path: String) -> CertificateFile? {
        known.withLock { known in
            guard let identity = Identity(path) else { return nil }
            if let file = known[path], file.identity == identity { return file }
            guard let data = try? Data(contentsOf: URL(filePath: path)), let list = CertificateList(pem: data) else {
                return nil
            }
            let file = CertificateFile(identity: identity, certificates: list)
            if known.count >= mostKnown { known = [:] }
            known[path] = file
            return file
        }
    }
}

/// TLS sessions that the handles of one engine resume, which makes a second connection to a host cheap (a CURLSH).
///
/// libcurl keeps them by host, port and certificates. A host's rules never change in an engine, so a session is never used
/// with another rule.
final class TLSSessions {
    private let share = godwit_sessions_new()

    deinit {
        if let share { curl_share_cleanup(share) }
    }

    /// Attaches a handle. It has to be detached or freed before these sessions are released.
    func attach(_ easy: UnsafeMutableRawPointer) {
        if let share { godwit_set_pointer(easy, CURLOPT_SHARE, share) }
    }
}
#endif
