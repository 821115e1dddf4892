import CGodwitCurl

/// The authorities trusted for some hosts, as libcurl reads them if the engine has no ``TrustStores``.
final class AuthorityList {
    private let certificates: StableBytes
    private let keepsSystem: Bool
    /// Its place in ``TrustStores/authorities``.
    let number: Int

    init(_ entry: LoadedRules.Authorities) {
        certificates = StableBytes(entry.certificates)
        keepsSystem = entry.keepsSystem
        number = entry.number
    }

    /// Tells libcurl what holds now, where it held to `previous` before.
    static func change(
        from previous: AuthorityList?, to next: AuthorityList?, on easy: UnsafeMutableRawPointer
    ) -> Bool {
        guard previous !== next else { return true }
        let wantsFolder = next?.keepsSystem ?? true
        if wantsFolder != previous?.keepsSystem ?? true {
            let folder = wantsFolder ? godwit_get_string(easy, CURLINFO_CAPATH) : nil
            guard godwit_set_string(easy, CURLOPT_CAPATH, folder) == CURLE_OK else { return false }
        }
        return StableBytes.set(CURLOPT_CAINFO_BLOB, to: next?.certificates, on: easy)
    }
}
