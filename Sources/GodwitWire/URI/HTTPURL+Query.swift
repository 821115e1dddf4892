extension HTTPURL {
    /// This URL with more query items behind those it has, and without its fragment.
    ///
    /// ```swift
    /// let page = url.appending(["page": 2, "q": "a+b"])       // …?page=2&q=a%2Bb
    /// ```
    ///
    /// - Parameter items: The items, not encoded; none at all leaves the query as it is.
    public func appending(_ items: QueryItems) -> HTTPURL {
        replacing(path: path, query: query(with: items))
    }

    /// This URL's query and more items behind it; nil where both are missing.
    func query(with items: QueryItems) -> String? {
        guard let more = items.encoded, !more.isEmpty else { return query }
        guard let query, !query.isEmpty else { return more }
        return "\(query)&\(more)"
    }
}
