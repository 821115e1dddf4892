import GodwitCore

/// What differs between Apple's URLSession and that of Linux; each has a file of its own.
enum Platform {
    /// Refuses what this platform's URLSession does not offer.
    static func unsupported(_ feature: String) -> NetworkError.Kind {
        .unsupported(feature: feature, on: name)
    }
}
