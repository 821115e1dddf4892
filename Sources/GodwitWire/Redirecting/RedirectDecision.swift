import GodwitSupport

/// The next step after a response (RFC 9110 section 15.4).
package enum RedirectDecision: Sendable, Hashable {
    /// Return the response.
    case stay
    /// Send another request.
    case follow(RedirectStep)
    /// The redirect can't or must not be followed.
    case refuse(RedirectFault)

    /// Decides from a request and the status and `Location` of its response.
    ///
    /// 301 and 302 turn POST into GET, 303 turns every method but HEAD into GET, 307 and 308 keep method and content.
    /// Other 3xx responses are returned, and those without a `Location`: Google answers a part of an upload with 308.
    ///
    /// - Parameter upgraded: The URL to use instead of an `http` URL whose host demands HTTPS. `nil` if it doesn't.
    package init(
        method: HTTPMethod, url: HTTPURL, status: HTTPStatus, location: String?,
        upgraded: (HTTPURL) -> HTTPURL? = { _ in nil }
    ) {
        guard let (nextMethod, keepsBody) = Self.rewrite(method, for: status),
            let location, !location.trimmingBlanks.isEmpty
        else {
            self = .stay
            return
        }
        do throws(RedirectFault) {
            let (target, isUpgraded) = try Self.target(location, from: url, upgraded)
            let changesOrigin = !target.isSameOrigin(as: url)
            self = .follow(
                RedirectStep(
                    method: nextMethod, url: target, keepsBody: keepsBody, changesOrigin: changesOrigin,
                    isUpgraded: isUpgraded))
        } catch {
            self = .refuse(error)
        }
    }

    /// Decides from a request and the head of its response. Several `Location` fields must agree.
    package init(
        method: HTTPMethod, url: HTTPURL, status: HTTPStatus, fields: HTTPFields,
        upgraded: (HTTPURL) -> HTTPURL? = { _ in nil }
    ) {
        let location = fields.agreedValue(of: .location)
        if location == nil, fields.contains(.location), Self.rewrite(method, for: status) != nil {
            self = .refuse(.contradictoryLocations)
        } else {
            self.init(method: method, url: url, status: status, location: location, upgraded: upgraded)
        }
    }

    /// The next method and whether the content is sent again; `nil` if the status isn't a redirect.
    private static func rewrite(_ method: HTTPMethod, for status: HTTPStatus) -> (HTTPMethod, keepsBody: Bool)? {
        switch status {
        case .movedPermanently, .found: method == .post ? (.get, false) : (method, true)
        case .seeOther: (method == .head ? .head : .get, false)
        case .temporaryRedirect, .permanentRedirect: (method, true)
        default: nil
        }
    }

    private static func target(
        _ location: String, from url: HTTPURL, _ upgraded: (HTTPURL) -> HTTPURL?
    ) throws(RedirectFault) -> (HTTPURL, isUpgraded: Bool) {
        let target: HTTPURL
        do {
            target = try url.resolving(location)
        } catch {
            throw .invalidLocation(error.reason)
        }
        if let target = upgraded(target) { return (target, true) }
        guard url.scheme == .http || target.scheme == .https else { throw .downgrade(to: target) }
        return (target, false)
    }
}

/// The request that a redirect asks for, relative to the previous one (RFC 9110 section 15.4).
package struct RedirectStep: Sendable, Hashable {
    /// The method to use.
    package let method: HTTPMethod

    /// Where to send it.
    package let url: HTTPURL

    /// Whether the content, if any, is sent again.
    package let keepsBody: Bool

    /// Whether the redirect leaves the origin, so that credentials are dropped.
    package let changesOrigin: Bool

    /// Whether `Location` is `http`, and its host demands HTTPS.
    package let isUpgraded: Bool

    /// The fields of the next request.
    package func fields(from fields: HTTPFields) -> HTTPFields {
        HTTPFields(fields.filter { !isDropped($0.name) })
    }

    /// Whether the next request doesn't have a field of this name, neither in its head nor in its trailers.
    package func isDropped(_ name: HTTPField.Name) -> Bool {
        if changesOrigin, name.isSensitive || Self.originFields.contains(name) { return true }
        return !keepsBody && Self.contentFields.contains(name)
    }

    /// Fields that apply to one origin.
    private static let originFields: [HTTPField.Name] = [
        .host, .origin, .referer, "Cookie2", "Signature", "Signature-Input",
    ]

    /// Fields that describe the content (RFC 9110 section 8, RFC 9530).
    private static let contentFields: [HTTPField.Name] = [
        .contentType, .contentEncoding, .contentLanguage, .contentLocation, .contentLength, .contentRange,
        .contentDisposition, .transferEncoding, .trailer, .expect, "Content-MD5", "Content-Digest", "Repr-Digest",
        "Digest",
    ]
}

/// Why a redirect isn't followed.
package enum RedirectFault: Error, Sendable, Hashable {
    /// The response has several `Location` fields with different values.
    case contradictoryLocations
    /// `Location` isn't a valid URL; has the reason.
    case invalidLocation(String)
    /// The redirect leads from https to http.
    case downgrade(to: HTTPURL)
}
