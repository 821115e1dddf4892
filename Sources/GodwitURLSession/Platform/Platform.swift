import GodwitCore

/// The differences between URLSession on Apple platforms and on Linux, one file each. `canImport(Security)`
/// distinguishes them: every Apple platform has it, and `script/apple` has its interfaces, so it type-checks these
/// files too.
enum Platform {
    /// The error for a feature that this platform's URLSession doesn't support.
    static func unsupported(_ feature: String) -> NetworkError.Kind {
        .unsupported(feature: feature, on: name)
    }
}
