#if canImport(Darwin)
extension EncodingOptions.Dates {
    /// The strategies of Apple's Foundation.
    static func platform(_ strategy: JSONEncoder.DateEncodingStrategy) -> Self {
        guard case .formatted(let formatter) = strategy else { return .deferred }
        return .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(formatter.string(from: date))
        }
    }
}
#endif
