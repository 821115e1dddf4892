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
        (origin, user) = (nil, nil)
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
        var (bytes, rest) = ([UInt8](), Substring(text).utf8[...])
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = hexadecimal(rest.prefix(2)) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexadecimal(_ digits: Substring.UTF8View.SubSequence) -> UInt8? {
        digits.count == 2 ? UInt8(String(decoding: digits, as: UTF8.self), radix: 16) : nil
    }
}
