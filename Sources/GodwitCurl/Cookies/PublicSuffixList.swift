import CPsl
public import GodwitCore

/// The system's list of public suffixes, read by libpsl: the file that Debian's `publicsuffix` brings up to date, or the
/// one libpsl was built with, whichever is newer.
///
/// ```swift
/// let jar = CookieJar(suffixes: PublicSuffixList())
/// ```
///
/// The list is read once in a process, when it is first asked.
public struct PublicSuffixList: PublicSuffixes {
    // Proof: libpsl only reads a list once it is loaded, from any thread, and this one is never freed.
    private nonisolated(unsafe) static let list: OpaquePointer? = psl_latest(nil) ?? psl_builtin()

    /// Makes the rule.
    public init() {}

    /// Whether the list names the domain, or one of its wildcards does. Without a list every domain might be one.
    ///
    /// - Parameter domain: A name in lower case, without a final dot.
    public func isPublicSuffix(_ domain: String) -> Bool {
        guard let list = Self.list else { return true }
        return psl_is_public_suffix2(list, domain, PSL_TYPE_ANY) == 1
    }
}
