#if canImport(Darwin)
extension DecodingSession {
    /// A date in the format of a `DateFormatter`, which only Apple's Foundation has; `nil` for other strategies.
    func formattedDate(at index: UInt32) throws -> Date? {
        guard case .formatted(let formatter) = options.dateDecodingStrategy else { return nil }
        guard let date = formatter.date(from: try string(at: index)) else {
            throw corrupted("expected a date in the format of the formatter", at: index)
        }
        return date
    }
}
#else
extension DecodingSession {
    /// `nil`: only Apple's Foundation has strategies with a `DateFormatter`.
    func formattedDate(at index: UInt32) throws -> Date? { nil }
}
#endif
