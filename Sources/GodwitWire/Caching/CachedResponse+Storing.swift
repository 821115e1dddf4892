extension CachedResponse {
    /// Creates the stored form of an exchange; `nil` if it must not or need not be stored (RFC 9111 section 3).
    ///
    /// Only complete responses to GET are stored. Not stored: 206; 401 and 407, which the next request may answer with
    /// another credential; `Vary: *`, which never matches; and errors without an explicit lifetime.
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

    /// Whether the response may remain stored with its current fields.
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
        // A heuristic lifetime isn't used for errors: the next request finds out.
        return isExplicit || (status.isHeuristicallyCacheable && status.code < 400)
    }
}

extension HTTPStatus {
    /// Whether the status rejects the request's credential.
    var refusesCredential: Bool { code == 401 || code == 407 }

    /// Whether RFC 9110 defines the status, so that the cache understands it (RFC 9111 section 5.2.2.3).
    fileprivate var isUnderstood: Bool {
        switch code {
        case 200, 201, 202, 203, 204, 205, 300, 301, 302, 303, 305, 307, 308, 400...417, 421, 422, 426, 500...505: true
        default: false
        }
    }
}

extension HTTPFields {
    /// The fields without those of the connection (section 3.1).
    var withoutConnectionFields: HTTPFields {
        let named = namedByConnection
        return keeping { !$0.isOfConnection && !named.contains($0) }
    }

    /// The fields that `Connection` names. Usually none.
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

    /// A bit for each length of these names; most other names differ in length.
    private static let lengths = ofConnection.reduce(UInt64(0)) { $0 | 1 << UInt64($1.rawName.utf8.count) }

    fileprivate var isOfConnection: Bool {
        Self.lengths & (1 << UInt64(rawName.utf8.count)) != 0 && Self.ofConnection.contains(self)
    }
}
