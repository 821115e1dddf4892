/// A link that a response carries in its fields (RFC 8288).
///
/// ```text
/// Link: <https://api.example.com/articles?page=3>; rel="next"
/// ```
public struct WebLink: Sendable, Hashable {
    /// A parameter of a link, as it was sent.
    public struct Parameter: Sendable, Hashable {
        /// The name in lower case.
        public let name: String

        /// The value without quotes; empty where there is none.
        public let value: String
    }

    /// The reference between the angle brackets; may be relative to the URL of the response.
    public let target: String

    /// How the target relates to the response, in lower case: `next`, `prev`, `describedby`.
    ///
    /// Where `rel` is repeated, only the first counts (RFC 8288 section 3.3). Empty where there is none.
    public let relations: Set<String>

    /// The parameters in order, `rel` among them.
    public let parameters: [Parameter]

    /// The title for people; `title*` goes before `title` (RFC 8288 section 3.4.1). `nil` if the link has none.
    public var title: String? { parameter("title") }

    /// The value of a parameter, the first if it is repeated.
    ///
    /// A parameter that is also there with a character set, such as `title*`, is read from that one (RFC 8187), unless
    /// it cannot be decoded. To get a value as it was sent, look into ``parameters``.
    ///
    /// - Parameter name: The parameter's name, compared without case.
    public func parameter(_ name: String) -> String? {
        sent(name + "*").flatMap(ExtendedValue.decoded) ?? sent(name)
    }

    private func sent(_ name: String) -> String? {
        parameters.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }

    init(target: String, parameters: [Parameter]) {
        self.target = target
        self.parameters = parameters
        let names = parameters.first { $0.name == "rel" }?.value.split { $0 == " " || $0 == "\t" } ?? []
        relations = Set(names.map { String($0).asciiLowercased })
    }
}

extension HTTPFields {
    /// The links in the `Link` fields, in order; what cannot be read is passed over (RFC 8288).
    ///
    /// Targets are as they were sent, perhaps relative; ``link(rel:relativeTo:)`` resolves one.
    public var links: [WebLink] {
        LinkHeader.parse(self)
    }

    /// The target of the first link with this relation, such as `next`; nil where there is none.
    ///
    /// A link with an `anchor` speaks of another resource than the response and is passed over. Throws ``InvalidURL``
    /// where the target is no URL that can be requested.
    ///
    /// - Parameters:
    ///   - relation: The relation type, compared without case.
    ///   - url: The URL of the response, which a relative target is resolved against (RFC 8288 section 3.1).
    ///
    /// ```swift
    /// let next = try response.head.fields.link(rel: "next", relativeTo: response.request.url)
    /// ```
    public func link(rel relation: String, relativeTo url: HTTPURL) throws(InvalidURL) -> HTTPURL? {
        let name = relation.asciiLowercased
        let link = links.first { $0.relations.contains(name) && $0.parameter("anchor") == nil }
        guard let link else { return nil }
        return try url.resolving(link.target)
    }
}

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
