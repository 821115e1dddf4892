extension CachedResponse {
    /// The response with the fields of a 304 that confirms it (RFC 9111 sections 3.2 and 4.3.4); nil where the 304
    /// is about another response.
    package func refreshed(by fields: HTTPFields, requestTime: Date, responseTime: Date) -> CachedResponse? {
        guard isMeant(by: fields) else { return nil }
        return updated(with: fields, requestTime: requestTime, responseTime: responseTime)
    }

    /// The response with the fields of a 200 to HEAD; nil where these say that the content is another by now (section
    /// 4.3.5).
    package func refreshed(byHead fields: HTTPFields, requestTime: Date, responseTime: Date) -> CachedResponse? {
        for name in [HTTPField.Name.etag, .lastModified, .contentLength] {
            guard let new = fields[name], new != self.fields[name] else { continue }
            // What was stored decoded has no length of its own to compare.
            if name == .contentLength, self.fields[name] == nil { continue }
            return nil
        }
        return updated(with: fields, requestTime: requestTime, responseTime: responseTime)
    }

    /// Whether a 304 is about this response: by its entity tag, else by its date. Without either it answers the only
    /// conditions that were sent, which were this response's.
    private func isMeant(by new: HTTPFields) -> Bool {
        if let tag = new[.etag] {
            guard let own = fields.agreedValue(of: .etag) else { return false }
            return EntityTag.isWeak(tag) ? EntityTag.matchesWeakly(tag, own) : EntityTag.matchesStrongly(tag, own)
        }
        guard let new = new[.lastModified], let own = fields[.lastModified] else { return true }
        return new == own
    }

    private func updated(with new: HTTPFields, requestTime: Date, responseTime: Date) -> CachedResponse {
        let new = HTTPFields(new.withoutConnectionFields.filter { !Self.kept.contains($0.name) })
        let names = Set(new.map(\.name))
        // The old age was counted from the old arrival.
        var merged = HTTPFields(fields.filter { !names.contains($0.name) && $0.name != .age })
        for field in new { merged.append(field) }
        // Without a new date the response counts as made when it was confirmed.
        if !names.contains(.date) { merged.remove(.date) }
        return CachedResponse(
            url: url, variant: variant, status: status, fields: merged, body: body, requestTime: requestTime,
            responseTime: responseTime)
    }

    /// What speaks of the stored content, which a 304 does not change (section 3.2). `Vary` belongs to the variant's
    /// key.
    private static let kept: Set<HTTPField.Name> = [
        .contentLength, .contentEncoding, .contentType, .contentRange, .vary,
    ]
}
