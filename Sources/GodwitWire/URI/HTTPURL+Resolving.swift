extension HTTPURL {
    /// The URL that a reference names when it is read on a page at this URL (RFC 3986 section 5.2).
    ///
    /// Used for `Location` and `Link` values. Spaces and other stray bytes, which servers do send, are encoded; another
    /// scheme than http or https, or an illegal host, throws ``InvalidURL``. A reference without a fragment keeps
    /// this URL's (RFC 9110 section 10.2.2).
    public func resolving(_ reference: String) throws(InvalidURL) -> HTTPURL {
        let parts = try URLParts(parsing: Self.repaired(reference))
        if let scheme = parts.scheme {
            _ = try Self.scheme(named: scheme)
            return try HTTPURL(Self.repaired(reference)).inheritingFragment(of: self)
        }
        if let authority = parts.authority {
            let (host, port) = try Authority.parse(authority, scheme: scheme)
            return HTTPURL(
                origin: Origin(scheme: scheme, host: host, port: port), path: try parts.normalisedPath(),
                query: parts.query, fragment: parts.fragment ?? fragment)
        }
        return HTTPURL(
            origin: origin, path: merged(with: parts), query: mergedQuery(with: parts),
            fragment: parts.fragment ?? fragment)
    }

    private func merged(with parts: URLParts) -> String {
        if parts.path.isEmpty { return path }
        if parts.path.hasPrefix("/") { return URLParts.removingDotSegments(parts.path) }
        let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
        return URLParts.removingDotSegments(folder + parts.path)
    }

    private func mergedQuery(with parts: URLParts) -> String? {
        parts.path.isEmpty && parts.query == nil ? query : parts.query
    }

    private func inheritingFragment(of base: HTTPURL) -> HTTPURL {
        guard fragment == nil, let inherited = base.fragment else { return self }
        return HTTPURL(origin: origin, path: path, query: query, fragment: inherited)
    }

    /// Encodes what a careless server leaves bare, so that the strict parser can read it.
    private static func repaired(_ reference: String) -> String {
        let trimmed = reference.drop { $0 == " " || $0 == "\t" }
        let text = String(trimmed.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        let spaced =
            text.utf8.contains(0x20)
            ? text.split(separator: " ", omittingEmptySubsequences: false)
                .joined(separator: "%20") : text
        guard !PercentEncoding.isWellFormed(spaced) else { return spaced }
        return spaced.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25")
    }
}
