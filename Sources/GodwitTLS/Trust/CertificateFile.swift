#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import GodwitCore
import Synchronization

/// A file of certificates as it was last read.
struct CertificateFile: Sendable {
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

    /// The file's certificates, parsed again only if it changed; `nil` if it can't be read or is malformed.
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
