/// Reads `Link` fields (RFC 8288 section 3 and appendix B.2).
package enum LinkHeader {
    /// The links of all `Link` fields, in order. What cannot be read is passed over.
    package static func parse(_ fields: HTTPFields) -> [WebLink] {
        fields.values(of: .link).flatMap(parse)
    }

    /// The links of one field value.
    package static func parse(_ value: String) -> [WebLink] {
        var scanner = FieldScanner(value)
        var links: [WebLink] = []
        while !scanner.isAtEnd {
            scanner.read { !$0.isBlank && $0 != comma }
            if let link = link(from: &scanner) { links.append(link) }
        }
        return links
    }

    private static let comma = UInt8(ascii: ",")
    private static let semicolon = UInt8(ascii: ";")

    /// The link that begins here, and everything up to the comma behind it.
    private static func link(from scanner: inout FieldScanner) -> WebLink? {
        let begins = scanner.skip("<")
        let target = begins ? scanner.read { $0 == UInt8(ascii: ">") } : ""
        let ends = scanner.skip(">")
        var parameters: [WebLink.Parameter] = []
        scanner.read { $0 == semicolon || $0 == comma }
        while scanner.skip(";") {
            if let parameter = parameter(from: &scanner) { parameters.append(parameter) }
            scanner.read { $0 == semicolon || $0 == comma }
        }
        return begins && ends ? WebLink(target: target.trimmingBlanks, parameters: parameters) : nil
    }

    private static func parameter(from scanner: inout FieldScanner) -> WebLink.Parameter? {
        scanner.skipBlanks()
        guard let name = scanner.token()?.asciiLowercased else { return nil }
        scanner.skipBlanks()
        guard scanner.skip("=") else { return WebLink.Parameter(name: name, value: "") }
        scanner.skipBlanks()
        let value = scanner.quotedString() ?? scanner.read { $0 == semicolon || $0 == comma }.trimmingBlanks
        return WebLink.Parameter(name: name, value: value)
    }
}
