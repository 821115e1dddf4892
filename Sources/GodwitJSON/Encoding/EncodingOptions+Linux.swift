#if !canImport(Darwin)
extension EncodingOptions.Dates {
    /// Only Apple's Foundation has further strategies.
    static func platform(_ strategy: JSONEncoder.DateEncodingStrategy) -> Self { .deferred }
}
#endif
