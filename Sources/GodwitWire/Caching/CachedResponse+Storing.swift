extension CachedResponse {
    /// Makes what a private cache stores of an exchange; nil where it must not or need not store it (RFC 9111 section
    /// 3).
    ///
    /// Only complete answers to GET are stored. Parts (206) are not, nor 401 and 407, which would answer the next request
    /// with another credential, nor what `Vary: *` says can never be found again,
    /// nor errors that do not say for how long they hold.
    package init?(
        _ request: (method: HTTPMethod, url: HTTPURL, fields: HTTPFields),
        answer: (status: HTTPStatus, fields: HTTPFields, body: Data), requestTime: Date, responseTime: Date
    ) {
        guard request.method == .get, !request.fields.contains(.range), !CacheControl(request.fields).noStore,
            Self.mayStore(answer.status, answer.fields),
            let variant = VaryKey.make(vary: answer.fields, request: request.fields)
        else { return nil }
        self.init(
            url: request.url, variant: variant, status: answer.status, fields: answer.fields.withoutConnectionFields,
            body: answer.body, requestTime: requestTime, responseTime: responseTime)
    }

    /// Whether the response may stay stored with the fields it has now.
    package var mayStay: Bool {
        !control.noStore || control.mustUnderstand
    }

    private static func mayStore(_ status: HTTPStatus, _ fields: HTTPFields) -> Bool {
        let control = CacheControl(fields)
        guard status.code >= 200, status != .partialContent, status != .notModified, !status.refusesCredential else {
            return false
        }
        if control.mustUnderstand {
            guard status.isUnderstood else { return false }
        } else if control.noStore {
            return false
        }
        let isExplicit = control.allowsStoring || control.maxAge != nil || fields.contains(.expires)
        // A guess at how long a failure holds helps nobody: the cache may leave it to the next request.
        return isExplicit || (status.isHeuristicallyCacheable && status.code < 400)
    }
}

extension HTTPStatus {
    /// Whether the status is about the credential that a request carried, and not about what it asked for.
    package var refusesCredential: Bool { code == 401 || code == 407 }

    /// Whether RFC 9110 defines the status, so that the cache knows what storing it means (RFC 9111 section 5.2.2.3).
    fileprivate var isUnderstood: Bool {
        switch code {
        case 200, 201, 202, 203, 204, 205, 300, 301, 302, 303, 305, 307, 308, 400...417, 421, 422, 426, 500...505: true
        default: false
        }
    }
}

extension HTTPFields {
    /// The fields that outlive the connection they came on (section 3.1).
    package var withoutConnectionFields: HTTPFields {
        let named = namedByConnection
        return keeping { !$0.isOfConnection && !named.contains($0) }
    }

    /// The fields that `Connection` names. What it holds nearly always names none.
    private var namedByConnection: [HTTPField.Name] {
        guard let value = self[.connection], value != "keep-alive", value != "close" else { return [] }
        return value.utf8.split(separator: UInt8(ascii: ","))
            .map { HTTPField.Name(unchecked: String(Substring($0)).trimmingBlanks) }
    }
}

extension HTTPField.Name {
    private static let ofConnection: [HTTPField.Name] = [
        .connection, .keepAlive, .proxyConnection, .te, .transferEncoding, .upgrade, .trailer, .proxyAuthenticate,
        .proxyAuthorization, "Proxy-Authentication-Info",
    ]

    /// Which lengths these names have; most other names differ in it.
    private static let lengths = ofConnection.reduce(UInt64(0)) { $0 | 1 << UInt64($1.rawName.utf8.count) }

    fileprivate var isOfConnection: Bool {
        Self.lengths & (1 << UInt64(rawName.utf8.count)) != 0 && Self.ofConnection.contains(self)
    }
}
