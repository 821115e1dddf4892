/// What a response asks a client to do next (RFC 9110 section 15.4).
package enum RedirectDecision: Sendable, Hashable {
    /// The response is the answer.
    case stay
    /// Another request is to be sent.
    case follow(RedirectStep)
    /// Another request is asked for that cannot or must not be sent.
    case refuse(RedirectFault)

    /// Decides for a request and the status and `Location` of its response.
    ///
    /// 301 and 302 turn POST into GET, 303 turns all but HEAD into GET, 307 and 308 keep method and content. Other 3xx
    /// statuses are answers.
    package init(method: HTTPMethod, url: HTTPURL, status: HTTPStatus, location: String?) {
        guard let (nextMethod, keepsBody) = Self.rewrite(method, for: status) else {
            self = .stay
            return
        }
        do throws(RedirectFault) {
            let target = try Self.target(location, from: url)
            let changesOrigin = !target.isSameOrigin(as: url)
            self = .follow(
                RedirectStep(method: nextMethod, url: target, keepsBody: keepsBody, changesOrigin: changesOrigin))
        } catch {
            self = .refuse(error)
        }
    }

    /// Decides for a request and the head of its response. Several `Location` fields have to agree.
    package init(method: HTTPMethod, url: HTTPURL, status: HTTPStatus, fields: HTTPFields) {
        let location = fields.agreedValue(of: .location)
        if location == nil, fields.contains(.location), Self.rewrite(method, for: status) != nil {
            self = .refuse(.contradictoryLocations)
        } else {
            self.init(method: method, url: url, status: status, location: location)
        }
    }

    /// The next method and whether it has the content of this one; nil where the status is no redirect.
    private static func rewrite(_ method: HTTPMethod, for status: HTTPStatus) -> (HTTPMethod, keepsBody: Bool)? {
        switch status {
        case .movedPermanently, .found: method == .post ? (.get, false) : (method, true)
        case .seeOther: (method == .head ? .head : .get, false)
        case .temporaryRedirect, .permanentRedirect: (method, true)
        default: nil
        }
    }

    private static func target(_ location: String?, from url: HTTPURL) throws(RedirectFault) -> HTTPURL {
        guard let location, !location.trimmingBlanks.isEmpty else { throw .missingLocation }
        let target: HTTPURL
        do {
            target = try url.resolving(location)
        } catch {
            throw .invalidLocation(error.reason)
        }
        guard url.scheme == .http || target.scheme == .https else { throw .downgrade(to: target) }
        return target
    }
}

/// The request that a redirect asks for, in terms of the one before it (RFC 9110 section 15.4).
package struct RedirectStep: Sendable, Hashable {
    /// The method to use.
    package let method: HTTPMethod

    /// Where to send it.
    package let url: HTTPURL

    /// Whether the content, if there was any, is sent again.
    package let keepsBody: Bool

    /// Whether the redirect leaves the origin, so that credentials stay behind.
    package let changesOrigin: Bool

    /// The fields of the next request.
    package func fields(from fields: HTTPFields) -> HTTPFields {
        HTTPFields(fields.filter { !isDropped($0.name) })
    }

    private func isDropped(_ name: HTTPField.Name) -> Bool {
        if changesOrigin, name.isSensitive || Self.originFields.contains(name) { return true }
        return !keepsBody && Self.contentFields.contains(name)
    }

    /// What speaks of the origin it was written for.
    private static let originFields: [HTTPField.Name] = [
        .host, .origin, .referer, "Cookie2", "Signature", "Signature-Input",
    ]

    /// What speaks of the content (RFC 9110 section 8, RFC 9530).
    private static let contentFields: [HTTPField.Name] = [
        .contentType, .contentEncoding, .contentLanguage, .contentLocation, .contentLength, .contentRange,
        .contentDisposition, .transferEncoding, .trailer, .expect, "Content-MD5", "Content-Digest", "Repr-Digest",
        "Digest",
    ]
}

/// Why a redirect cannot be followed.
package enum RedirectFault: Error, Sendable, Hashable {
    /// The response has no `Location`.
    case missingLocation
    /// The response has several `Location` fields with different values.
    case contradictoryLocations
    /// `Location` is no URL that can be requested; the reason.
    case invalidLocation(String)
    /// The redirect leads from https to http.
    case downgrade(to: HTTPURL)
}
