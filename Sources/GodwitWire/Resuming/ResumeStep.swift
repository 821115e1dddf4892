/// How a response continues a download that has its first bytes and requested the rest.
///
/// A pure rule: it takes the request and the response, and says what to do with the content.
package enum ResumeStep: Sendable, Hashable {
    /// Append the content: it has these bytes of a whole of this size.
    case append(Range<Int64>, total: Int64?)
    /// Discard the existing bytes: the content is the whole.
    case replace
    /// The download is complete.
    case complete
    /// The response doesn't match the existing bytes: request the whole again.
    case startOver
    /// The response is invalid; has the reason.
    case refuse(String)

    /// - Parameters:
    ///   - offset: The number of existing bytes; 0 if the whole was requested.
    ///   - total: The expected size, if an earlier response had it.
    ///   - validator: The version that the existing bytes belong to.
    package init(offset: Int64, total: Int64?, validator: ResumeValidator?, status: HTTPStatus, fields: HTTPFields) {
        guard offset > 0, let validator else {
            self = status == .partialContent ? .refuse("the server sent a part, but the whole was requested") : .replace
            return
        }
        switch status {
        case .partialContent:
            self = Self.part(offset, total, validator, fields)
        case .rangeNotSatisfiable:
            let size = fields.agreedValue(of: .contentRange).flatMap(ContentRange.init)?.total
            let isWhole = size == offset && total ?? offset == offset && !validator.isContradicted(by: fields)
            self = isWhole ? .complete : .startOver
        case .preconditionFailed:
            self = .startOver
        default:
            self = .replace
        }
    }

    private static func part(
        _ offset: Int64, _ total: Int64?, _ validator: ResumeValidator, _ fields: HTTPFields
    ) -> ResumeStep {
        guard let range = fields.agreedValue(of: .contentRange).flatMap(ContentRange.init), let bytes = range.bytes,
            bytes.lowerBound == offset, validator.isConfirmed(by: fields)
        else { return .startOver }
        if let total, let size = range.total, total != size { return .startOver }
        return .append(bytes, total: range.total ?? total)
    }
}

/// A strong validator: identifies one version of a resource exactly, so that its parts can be combined (RFC 9110
/// section 8.8.1).
///
/// Weak tags don't count. A date counts only without a tag and if it is older than the response (section 13.1.5).
package enum ResumeValidator: Sendable, Hashable, Codable {
    case etag(String)
    case lastModified(String)

    /// The strong validator of a response; `nil` if it has none.
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

    /// Whether a response says that it is of this version. Only then can its part be joined to others (RFC 9110 section 15.3.7.3).
    package func isConfirmed(by fields: HTTPFields) -> Bool {
        switch self {
        case .etag(let tag): fields.agreedValue(of: .etag) == tag
        case .lastModified(let date): !fields.contains(.etag) && fields.agreedValue(of: .lastModified) == date
        }
    }

    /// Whether a response is of another version. A response without a validator counts as the same.
    package func isContradicted(by fields: HTTPFields) -> Bool {
        switch self {
        case .etag(let tag): fields[.etag].map { $0 != tag } ?? false
        case .lastModified(let date): fields[.lastModified].map { $0 != date } ?? false
        }
    }
}

/// A parsed `Content-Range` in bytes (RFC 9110 section 14.4).
package struct ContentRange: Sendable, Hashable {
    /// The range of bytes; `nil` in the form `bytes */12` of a 416.
    package let bytes: Range<Int64>?
    /// The total size; `nil` for `*`.
    package let total: Int64?

    /// Parses a value; `nil` for another unit or an inconsistent range.
    package init?(_ text: String) {
        let words = text.trimmingBlanks.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].asciiLowercasedEquals("bytes") else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] == "*" {
            total = nil
        } else {
            guard let size = Self.number(parts[1]) else { return nil }
            total = size
        }
        if parts[0] == "*" {
            guard total != nil else { return nil }
            bytes = nil
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < total ?? .max
        else { return nil }
        bytes = first..<(last + 1)
    }

    /// Whether a response has a part of the content, whatever its status.
    ///
    /// Some file servers answer a range with 200. `Content-Range` has no meaning there (RFC 9110 section 14.4), but a part
    /// that is taken for the whole is data lost in silence.
    ///
    /// - Parameter length: The length of the response's body, if known.
    package static func isPart(_ fields: HTTPFields, length: Int64?) -> Bool {
        guard let range = fields.agreedValue(of: .contentRange).flatMap(Self.init), let bytes = range.bytes else {
            return false
        }
        let count = Int64(bytes.count)
        return length ?? count == count && range.total != count
    }

    private static func number(_ digits: Substring) -> Int64? {
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int64(digits)
    }
}

extension Substring {
    fileprivate func asciiLowercasedEquals(_ other: String) -> Bool {
        String(self).equalsIgnoringASCIICase(other)
    }
}
