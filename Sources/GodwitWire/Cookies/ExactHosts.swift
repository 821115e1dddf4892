/// The public suffixes of who has no list: every domain might be one.
///
/// Cookies then belong to exactly the host that set them. One that asks for its host's parent is refused, and each
/// host is a site of its own. Too few cookies are sent this way, never one too many.
public struct ExactHosts: PublicSuffixes {
    /// Makes the rule.
    public init() {}

    /// True for every name.
    ///
    /// - Parameter domain: Any name.
    public func isPublicSuffix(_ domain: String) -> Bool { true }
}
