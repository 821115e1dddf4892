/// A link in a response's header fields (RFC 8288).
///
/// ```text
/// Link: <https://api.example.com/articles?page=3>; rel="next"
/// ```
public struct WebLink: Sendable, Hashable {
    /// A parameter of a link, as sent.
    public struct Parameter: Sendable, Hashable {
        /// The name in lowercase.
        public let name: String

        /// The value without quotes; empty if missing.
        public let value: String
    }

    /// The reference between the angle brackets; may be relative to the response's URL.
    public let target: String

    /// The link relations in lowercase: `next`, `prev`, `describedby`. Empty if missing.
    ///
    /// If `rel` is repeated, the first one counts (RFC 8288 section 3.3).
    public let relations: Set<String>

    /// The parameters in order, including `rel`.
    public let parameters: [Parameter]

    /// The human-readable title; `title*` takes precedence over `title` (RFC 8288 section 3.4.1). `nil` if missing.
    public var title: String? { parameter("title") }

    /// The value of a parameter; the first if it is repeated.
    ///
    /// An encoded variant such as `title*` takes precedence if it can be decoded (RFC 8187). For the value as sent, see
    /// ``parameters``.
    ///
    /// - Parameter name: The parameter's name, compared case-insensitively.
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
    /// The links in the `Link` fields, in order. Links that can't be parsed are skipped (RFC 8288).
    ///
    /// Targets are as sent and may be relative; ``link(rel:relativeTo:)`` resolves one.
    public var links: [WebLink] {
        LinkHeader.parse(self)
    }

    /// The first link with this relation, such as `next`; `nil` if missing. Its target may be relative.
    ///
    /// Links with an `anchor` are skipped: they describe another resource than the response (RFC 8288 section 3.2).
    ///
    /// - Parameter relation: The relation type, compared case-insensitively.
    public func link(rel relation: String) -> WebLink? {
        let name = relation.asciiLowercased
        return links.first { $0.relations.contains(name) && $0.parameter("anchor") == nil }
    }

    /// The target of the first link with this relation, such as `next`; `nil` if missing.
    ///
    /// Links with an `anchor` are skipped, as by ``link(rel:)``. Throws ``InvalidURL`` if the target isn't a valid URL.
    ///
    /// - Parameters:
    ///   - relation: The relation type, compared case-insensitively.
    ///   - url: The URL of the response, against which a relative target is resolved (RFC 8288 section 3.1).
    ///
    /// ```swift
    /// let next = try response.head.fields.link(rel: "next", relativeTo: response.request.url)
    /// ```
    public func link(rel relation: String, relativeTo url: HTTPURL) throws(InvalidURL) -> HTTPURL? {
        guard let link = link(rel: relation) else { return nil }
        return try url.resolving(link.target)
    }
}

/// Parses `Link` fields (RFC 8288 section 3 and appendix B.2).
enum LinkHeader {
    /// The links of all `Link` fields, in order. Links that can't be parsed are skipped.
    static func parse(_ fields: HTTPFields) -> [WebLink] {
        fields.values(of: .link).flatMap(parse)
    }

    /// The links of one field value.
    static func parse(_ value: String) -> [WebLink] {
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

    /// Reads one link, up to the comma after it.
    private static func link(from scanner: inout FieldScanner) -> WebLink? {
        let isOpened = scanner.skip("<")
        let target = isOpened ? scanner.read { $0 == UInt8(ascii: ">") } : ""
        let isClosed = scanner.skip(">")
        var parameters: [WebLink.Parameter] = []
        scanner.read { $0 == semicolon || $0 == comma }
        while scanner.skip(";") {
            if let parameter = parameter(from: &scanner) { parameters.append(parameter) }
            scanner.read { $0 == semicolon || $0 == comma }
        }
        return isOpened && isClosed ? WebLink(target: target.trimmingBlanks, parameters: parameters) : nil
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
