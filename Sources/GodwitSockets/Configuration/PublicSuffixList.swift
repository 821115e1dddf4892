#if os(Linux)
import CPsl
public import GodwitCore

/// The system's list of public suffixes, read by libpsl: the file that Debian's `publicsuffix` package updates, or the one that
/// libpsl was built with, whichever is newer.
///
/// ```swift
/// let jar = CookieJar(suffixes: PublicSuffixList())
/// ```
///
/// The list is read once per process, at its first use.
public struct PublicSuffixList: PublicSuffixes {
    // Proof: libpsl doesn't change a loaded list, which any thread may use, and this one is never freed.
    private nonisolated(unsafe) static let list: OpaquePointer? = psl_latest(nil) ?? psl_builtin()

    /// Creates the list, which is read at its first use.
    public init() {}

    /// Whether the list, or one of its wildcards, contains the domain. `true` for every domain if the list is missing.
    ///
    /// - Parameter domain: A name in lower case, without a final dot.
    public func isPublicSuffix(_ domain: String) -> Bool {
        guard let list = Self.list else { return true }
        return psl_is_public_suffix2(list, domain, PSL_TYPE_ANY) == 1
    }
}
#endif
