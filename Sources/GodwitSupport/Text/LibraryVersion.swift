/// The version of the library, as releases are tagged.
///
/// `--version`, the `User-Agent`, archives and telemetry show it. A test compares it with the pages that name it.
public enum LibraryVersion {
    /// The version (Semantic Versioning).
    public static let current = "0.1.0"
}
