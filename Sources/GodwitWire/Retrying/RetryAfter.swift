/// When a server asks to come back (RFC 9110 section 10.2.3).
package enum RetryAfter {
    /// The longest wait that is reported: a year. Servers have been seen to send more, none meant it.
    package static let longest = Duration.seconds(365 * 86_400)

    /// The wait that a `Retry-After` value asks for, in seconds or as a date; zero where that is past, nil where it
    /// cannot be read.
    package static func delay(_ value: String, now: Date) -> Duration? {
        let text = value.trimmingBlanks
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        if !digits.isEmpty, digits.utf8.allSatisfy(IPAddress.isDigit) {
            guard digits.count == text.count else { return .zero }
            return min(Int64(digits).map { Duration.seconds($0) } ?? longest, longest)
        }
        guard let date = HTTPDate.parse(text, now: now) else { return nil }
        let seconds = date.timeIntervalSince(now)
        guard seconds > 0 else { return .zero }
        return min(.seconds(min(seconds, 1e9)), longest)
    }
}
