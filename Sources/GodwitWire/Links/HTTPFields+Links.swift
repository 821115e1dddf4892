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
