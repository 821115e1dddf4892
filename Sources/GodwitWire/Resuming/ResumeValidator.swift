/// What names one state of a resource so exactly that parts of it can be put together (RFC 9110 section 8.8.1).
///
/// Weak tags are none, and a date is one only where no tag is there and it is older than the answer (section 13.1.5).
package enum ResumeValidator: Sendable, Hashable, Codable {
    case etag(String)
    case lastModified(String)

    /// The validator of a response; nil where it has no strong one.
    package init?(_ fields: HTTPFields) {
        if fields.contains(.etag) {
            guard let tag = fields.agreedValue(of: .etag), EntityTag.isStrong(tag) else { return nil }
            self = .etag(tag)
            return
        }
        guard let modified = fields.agreedValue(of: .lastModified), let sent = fields.agreedValue(of: .date) else {
            return nil
        }
        let now = Date(timeIntervalSince1970: 0)
        guard let modification = HTTPDate.parse(modified, now: now), let sending = HTTPDate.parse(sent, now: now),
            sending.timeIntervalSince(modification) >= 1
        else { return nil }
        self = .lastModified(modified)
    }

    /// The value of `If-Range`.
    package var condition: String {
        switch self {
        case .etag(let tag): tag
        case .lastModified(let date): date
        }
    }

    /// Whether a response is about another state than this one. One that does not say counts as the same.
    package func isContradicted(by fields: HTTPFields) -> Bool {
        switch self {
        case .etag(let tag): fields[.etag].map { $0 != tag } ?? false
        case .lastModified(let date): fields[.lastModified].map { $0 != date } ?? false
        }
    }
}
