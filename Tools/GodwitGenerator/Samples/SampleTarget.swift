import GodwitWire

/// The parts of a sample's URL.
struct SampleTarget: Sendable, Hashable {
    /// `https://api.example.com:8080`, without a user; `nil` for a path.
    var origin: String?
    /// Without empty ones, as they are encoded.
    var segments: [String]
    /// Decoded, in their order.
    var query: [Sample.Field]
    /// The user and password of the URL, decoded.
    var user: String?

    init(_ text: String) {
        var rest = Substring(text.prefix { $0 != "#" })
        origin = nil
        user = nil
        if let scheme = rest.firstRange(of: "://") {
            let name = rest[..<scheme.lowerBound].lowercased()
            rest = rest[scheme.upperBound...]
            var authority = rest.prefix { $0 != "/" && $0 != "?" }
            rest = rest[authority.endIndex...]
            if let at = authority.lastIndex(of: "@") {
                user = Self.decoded(authority[..<at])
                authority = authority[authority.index(after: at)...]
            }
            origin = "\(name)://\(authority.lowercased())"
        }
        let path = rest.prefix { $0 != "?" }
        segments = path.split(separator: "/").map(String.init)
        query = Self.fields(rest[path.endIndex...].dropFirst())
    }

    /// The fields of a query or of a form.
    static func fields(_ text: Substring) -> [Sample.Field] {
        text.split(separator: "&").map { field in
            let name = field.prefix { $0 != "=" }
            return Sample.Field(
                decoded(name, plusIsSpace: true), decoded(field[name.endIndex...].dropFirst(), plusIsSpace: true))
        }
    }

    static func decoded(_ text: Substring, plusIsSpace: Bool = false) -> String {
        PercentEncoding.decodeLeniently(text, plusIsSpace: plusIsSpace)
    }
}
