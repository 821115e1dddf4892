extension HTTPURL {
    /// Resolves a reference against this URL (RFC 3986 section 5.2).
    ///
    /// Used for `Location` and `Link` values. Spaces and other stray bytes, which servers do send, are encoded. A
    /// scheme other than http or https, or an invalid host, throws ``InvalidURL``. A reference without a fragment keeps
    /// this URL's (RFC 9110 section 10.2.2).
    ///
    /// ```swift
    /// let page = try HTTPURL("https://example.com/a/b?x=1")
    /// try page.resolving("../c")              // https://example.com/c
    /// try page.resolving("?y=2")              // https://example.com/a/b?y=2
    /// try page.resolving("//other.net/d")     // https://other.net/d
    /// ```
    public func resolving(_ reference: String) throws(InvalidURL) -> HTTPURL {
        let repaired = Self.repaired(reference)
        let parts = try URLParts(parsing: repaired)
        if parts.scheme != nil || parts.authority != nil {
            let scheme = if let name = parts.scheme { try Self.scheme(named: name) } else { scheme }
            guard let authority = parts.authority else { throw InvalidURL("it has no host") }
            // Without the host as the server wrote it: it may look like another's.
            let (host, port, _) = try Authority.parse(authority, scheme: scheme)
            return HTTPURL(
                origin: Origin(scheme: scheme, host: host, port: port), path: try parts.normalizedPath(),
                query: parts.query, fragment: parts.fragment ?? fragment)
        }
        return HTTPURL(
            origin: origin, path: merged(with: parts), query: mergedQuery(with: parts),
            fragment: parts.fragment ?? fragment, shownHost: shownHost)
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

    /// Encodes spaces and stray `%`, which some servers send, so that the strict parser accepts them.
    private static func repaired(_ reference: String) -> String {
        var rest = FieldText.percentEncodingOtherBytes(reference.trimmingBlanks).utf8[...]
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case 0x20: bytes += "%20".utf8
            case UInt8(ascii: "%") where PercentEncoding.byte(rest.prefix(2)) == nil: bytes += "%25".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension HTTPURL {
    /// This URL over HTTPS: port 80 becomes 443, others stay (RFC 6797 section 8.3). Path, query and fragment stay as they are.
    package var overHTTPS: HTTPURL {
        guard scheme == .http else { return self }
        let secure = Origin(scheme: .https, host: host, port: port == 80 ? 443 : port)
        return HTTPURL(origin: secure, path: path, query: query, fragment: fragment, shownHost: shownHost)
    }
}
