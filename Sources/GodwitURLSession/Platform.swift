import GodwitCore

/// What differs between Apple's URLSession and that of Linux; each has a file of its own. Security tells which it is: all of
/// Apple's systems have it, and `script/apple` has its interfaces, so that it type-checks Apple's files too.
enum Platform {
    /// Refuses what this platform's URLSession does not offer.
    static func unsupported(_ feature: String) -> NetworkError.Kind {
        .unsupported(feature: feature, on: name)
    }
}
