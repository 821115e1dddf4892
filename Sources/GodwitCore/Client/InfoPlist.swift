#if canImport(Darwin)
/// What the app's Info.plist says.
enum InfoPlist {
    static func text(_ key: String) -> String? {
        Bundle.main.object(forInfoDictionaryKey: key) as? String
    }
}
#else
/// There is no Info.plist here.
enum InfoPlist {
    static func text(_ key: String) -> String? { nil }
}
#endif
