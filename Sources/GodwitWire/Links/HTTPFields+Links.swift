extension HTTPFields {
    /// The links in the `Link` fields, in order; what cannot be read is passed over (RFC 8288).
    public var links: [WebLink] {
        LinkHeader.parse(self)
    }

    /// The target of the first link with this relation, such as `next`; nil where there is none.
    ///
    /// A link with an `anchor` speaks of another resource than the response and is passed over. Throws ``InvalidURL``
    /// where the target is no URL that can be requested.
    public func link(rel relation: String, relativeTo url: HTTPURL) throws(InvalidURL) -> HTTPURL? {
        let name = relation.asciiLowercased
        let link = links.first { $0.relations.contains(name) && $0.parameter("anchor") == nil }
        guard let link else { return nil }
        return try url.resolving(link.target)
    }
}
