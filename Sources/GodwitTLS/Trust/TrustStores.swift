#if os(Linux)
package import GodwitCore

/// A transport's stores: the general one, and those of hosts that have a rule.
package final class TrustStores: Sendable {
    private let base: Result<TrustStore, NetworkError>
    /// By ``LoadedRules/Authorities/number``.
    private let authorities: [Result<TrustStore, NetworkError>]
    fileprivate let files: [CertificateFile.Identity]

    fileprivate init(
        base: Result<TrustStore, NetworkError>, authorities: [Result<TrustStore, NetworkError>],
        files: [CertificateFile.Identity]
    ) {
        self.base = base
        self.authorities = authorities
        self.files = files
    }

    /// The store of a rule's authorities; `nil` stands for the general one.
    ///
    /// Throws `.insecure(.configuration)` if a file that it needs can't be used.
    package func store(for authorities: Int?) throws(NetworkError) -> TrustStore {
        try (authorities.map { self.authorities[$0] } ?? base).get()
    }
}

/// The source of a transport's trusted certificates.
package struct TrustSource: Sendable {
    /// Trusted in addition to the system's.
    private let additional: URL?
    private let authorities: [LoadedRules.Authorities]

    /// - Parameter additional: A file of authorities that are trusted in addition to the system's.
    package init(additional: URL?, rules: LoadedRules?) {
        self.additional = additional
        authorities = rules?.numberedAuthorities ?? []
    }

    /// Reads and parses the files, unless they are unchanged since earlier stores, which are returned then. Blocks: about 20 ms
    /// for the system's bundle, once for all transports of a process.
    ///
    /// A system without a bundle trusts no certificate. What else can't be read is thrown by ``TrustStores/store(for:)``.
    package func load(replacing stores: TrustStores?) -> TrustStores {
        let system = SystemAuthorities.file.flatMap { CertificateFile.current(at: $0) }
        let own = additional.flatMap { CertificateFile.current(at: $0.path) }
        let files = [system, own].compactMap(\.self)
        // Files that became unreadable are most likely being replaced.
        if let stores, stores.files == files.map(\.identity) || files.count < stores.files.count { return stores }
        let fault = additional != nil && own == nil ? Self.error("cannot read \(additional?.path ?? "")") : nil
        return make(of: files, fault)
    }

    private func make(of files: [CertificateFile], _ fault: NetworkError?) -> TrustStores {
        let lists = files.map(\.certificates)
        let folder = SystemAuthorities.folder
        let special = authorities.map { entry in
            if entry.keepsSystem, let fault { return Result<TrustStore, NetworkError>.failure(fault) }
            let own = CertificateList(pem: entry.certificates)
            return Self.store(own.map { [$0] + (entry.keepsSystem ? lists : []) }, entry.keepsSystem ? folder : nil)
        }
        let base = fault.map { .failure($0) } ?? Self.store(lists, folder)
        return TrustStores(base: base, authorities: special, files: files.map(\.identity))
    }

    /// - Parameter lists: `nil` if one of them is malformed.
    private static func store(_ lists: [CertificateList]?, _ folder: String?) -> Result<TrustStore, NetworkError> {
        lists.flatMap { TrustStore($0, folder: folder) }.map { .success($0) }
            ?? .failure(error("a list of trusted authorities is malformed, or holds no certificate"))
    }

    private static func error(_ reason: String) -> NetworkError {
        NetworkError(.insecure(.configuration(reason)), phase: .connecting)
    }
}
#endif
