/// What a host demands in a `Strict-Transport-Security` field: to be reached by HTTPS only (RFC 6797 section 6.1).
package struct StrictTransportPolicy: Sendable, Hashable {
    /// Seconds for which the demand is valid, at most ``DeltaSeconds/largest``. 0 withdraws it.
    package let maximumAge: Int

    /// Whether it applies to the host's subdomains, too.
    package let includesSubdomains: Bool

    /// The most bytes of a field value that is read.
    static let longestValue = 4096

    package init(maximumAge: Int, includesSubdomains: Bool) {
        self.maximumAge = min(max(maximumAge, 0), DeltaSeconds.largest)
        self.includesSubdomains = includesSubdomains
    }

    /// The policy of a response; `nil` if it has none or an invalid one. Only the first field counts (section 8.1).
    package init?(_ fields: HTTPFields) {
        guard let value = fields.values(of: .strictTransportSecurity).first else { return nil }
        self.init(parsing: value)
    }

    /// Parses a field value.
    ///
    /// `nil` without `max-age`, with a directive that repeats, and for everything that isn't a list of directives. Unknown
    /// directives, `preload` among them, are ignored.
    package init?(parsing value: String) {
        guard value.utf8.count <= Self.longestValue else { return nil }
        var scanner = FieldScanner(value)
        var directives: [String: Argument] = [:]
        while true {
            scanner.skipBlanks()
            if let name = scanner.token()?.asciiLowercased {
                guard let argument = Argument(from: &scanner), directives.updateValue(argument, forKey: name) == nil
                else { return nil }
                scanner.skipBlanks()
            }
            if scanner.isAtEnd { break }
            guard scanner.skip(";") else { return nil }
        }
        guard case .text(let age) = directives["max-age"], let seconds = DeltaSeconds.parse(age) else { return nil }
        switch directives["includesubdomains"] {
        case nil: self.init(maximumAge: seconds, includesSubdomains: false)
        case .missing: self.init(maximumAge: seconds, includesSubdomains: true)
        case .text: return nil
        }
    }

    /// What follows the name of a directive.
    private enum Argument {
        case missing
        case text(String)

        /// `nil` if nothing valid follows an equals sign.
        init?(from scanner: inout FieldScanner) {
            scanner.skipBlanks()
            guard scanner.skip("=") else {
                self = .missing
                return
            }
            scanner.skipBlanks()
            guard let text = scanner.quotedString() ?? scanner.token() else { return nil }
            self = .text(text)
        }
    }
}
