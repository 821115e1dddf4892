#if os(Linux)
import GodwitCore
import GodwitLibc
import Synchronization

/// A file of certificates as it was last read.
struct CertificateFile: Sendable {
    /// Differs after the file was changed or replaced.
    struct Identity: Equatable, Sendable {
        let device: UInt64
        let file: UInt64
        let size: Int64
        let isRegular: Bool
        let seconds: Int
        let nanoseconds: Int

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            isRegular = status.st_mode & S_IFMT == S_IFREG
            device = UInt64(status.st_dev)
            file = UInt64(status.st_ino)
            size = Int64(status.st_size)
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
        }
    }

    let identity: Identity
    let certificates: CertificateList

    /// The files that the process's transports use, by path.
    private static let known = Mutex<[String: CertificateFile]>([:])
    private static let mostKnown = 16

    /// The file's certificates, parsed again only if it changed; `nil` if it can't be read or is malformed.
    static func current(at path: String) -> CertificateFile? {
        guard let identity = Identity(path) else { return nil }
        let (former, file) = known.withLock { known in
            let former = known[path].flatMap { $0.identity == identity ? $0 : nil }
            // The others wait, so that only one parses it.
            return (former, former == nil && identity.isRegular ? read(path, identity, into: &known) : nil)
        }
        if identity.isRegular || former != nil { return former ?? file }
        // A pipe may never get a writer, so the others don't wait for it. It has another time after it was read.
        guard let certificates = certificates(in: path), let read = Identity(path) else { return nil }
        return known.withLock { keep(CertificateFile(identity: read, certificates: certificates), of: path, in: &$0) }
    }

    private static func read(
        _ path: String, _ identity: Identity, into known: inout [String: CertificateFile]
    ) -> CertificateFile? {
        certificates(in: path).map { keep(CertificateFile(identity: identity, certificates: $0), of: path, in: &known) }
    }

    private static func certificates(in path: String) -> CertificateList? {
        (try? KeyMaterial.file(URL(filePath: path)).read()).flatMap { CertificateList(pem: $0) }
    }

    private static func keep(
        _ file: CertificateFile, of path: String, in known: inout [String: CertificateFile]
    ) -> CertificateFile {
        if known.count >= mostKnown { known = [:] }
        known[path] = file
        return file
    }
}

/// Where systems keep the certificates that they trust.
enum SystemAuthorities {
    /// Of Debian, Fedora, openSUSE, RHEL and Alpine.
    private static let usualFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem",
    ]

    /// The system's bundle; `nil` if it has none.
    static var file: String? { usualFiles.first { access($0, R_OK) == 0 } }

    /// A folder with the same certificates, and those that an administrator added.
    static var folder: String? { access("/etc/ssl/certs", R_OK | X_OK) == 0 ? "/etc/ssl/certs" : nil }
}
#endif
