import GodwitWire

/// Repeats a cookie's value in a header field, for servers that want both so that no other site can forge a request.
///
/// ```swift
/// let api = APIClient(baseURL: url) {
///     $0.attemptMiddleware.append(XSRFToken(cookie: "csrftoken", field: "X-CSRFToken"))  // Django
/// }
/// ```
///
/// Requests whose method isn't safe get the field (RFC 9110 section 9.2.1), if the request has the cookie and not the field.
/// Nothing is added before the server has set the cookie: send a GET first. Percent-encoding in the cookie is decoded, as browsers'
/// scripts do. Logs and recordings redact the field.
///
/// Place it inside ``Cookies``, as a client does with its ``ClientConfiguration/attemptMiddleware``: each hop of a redirect then
/// gets the value of its own host's cookie.
public struct XSRFToken: RequestMiddleware {
    private let cookie: String
    private let field: HTTPField.Name

    /// Creates a middleware that repeats a cookie in a header field. The default names are those of Angular, axios and
    /// Laravel.
    ///
    /// - Parameters:
    ///   - cookie: The name of the cookie.
    ///   - field: The name of the header field.
    public init(cookie: String = "XSRF-TOKEN", field: HTTPField.Name = "X-XSRF-TOKEN") {
        self.cookie = cookie
        self.field = field
    }

    /// Adds the field to a request with an unsafe method, if the request has the cookie.
    public func prepare(_ call: inout Call) {
        guard !call.request.method.isSafe, !call.request.fields.contains(field),
            let cookies = call.request.fields[.cookie],
            let pair = Cookies.pairs(in: cookies).first(where: { $0.name == cookie })
        else { return }
        call.originBoundFields.insert(field)
        call.request.fields[field] = Self.decoded(pair.value)
    }

    /// What a field can't have stays encoded.
    private static func decoded(_ value: String) -> String {
        guard let text = PercentEncoding.decode(value), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return value
        }
        return text
    }
}
