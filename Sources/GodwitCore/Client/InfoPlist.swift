#if canImport(Darwin)
/// Reads the app's Info.plist.
enum InfoPlist {
    static func text(_ key: String) -> String? {
        Bundle.main.object(forInfoDictionaryKey: key) as? String
    }
}
#else
/// A stand-in for platforms without Info.plist.
enum InfoPlist {
    static func text(_ key: String) -> String? { nil }
}
#endif
