#if HTTPTypes
public import GodwitCore
public import HTTPTypes

extension HTTPTypes.HTTPRequest {
    /// Converts the method, URL and header fields. The body, the delivery and the options have no equal here.
    ///
    /// - Throws: ``HTTPTypesConversionError`` for header fields that can't be sent.
    public init(_ request: GodwitCore.HTTPRequest) throws(HTTPTypesConversionError) {
        guard let method = Method(request.method.rawValue) else { throw .pseudoField(":method") }
        let url = request.url
        self.init(
            method: method, scheme: url.scheme.rawValue, authority: url.authority, path: String(url.target),
            headerFields: try HTTPTypes.HTTPFields(request.fields))
    }
}

extension GodwitCore.HTTPRequest {
    /// Converts the pseudo fields and header fields.
    ///
    /// ```swift
    /// let response = try await api.send(HTTPRequest(other, body: .bytes(data)))
    /// ```
    ///
    /// A host in capitals and a port that is the default of its scheme become the usual form; any other difference
    /// between the URL that was given and the one that would be sent is an error.
    ///
    /// - Parameters:
    ///   - request: The request, with `:scheme`, `:authority` and `:path`.
    ///   - body: The body. `nil` sends none.
    /// - Throws: ``HTTPTypesConversionError`` for a request without a URL, `CONNECT` among them, and for header fields
    ///   that can't be sent.
    public init(
        _ request: HTTPTypes.HTTPRequest, body: GodwitCore.HTTPBody? = nil
    ) throws(HTTPTypesConversionError) {
        if request.extendedConnectProtocol != nil { throw .pseudoField(":protocol") }
        guard let scheme = request.scheme else { throw .missingPseudoField(":scheme") }
        guard let authority = request.authority else { throw .missingPseudoField(":authority") }
        guard let path = request.path else { throw .missingPseudoField(":path") }
        let url = try HTTPURL.checked(scheme, authority, path)
        guard let method = HTTPMethod(request.method.rawValue) else { throw .pseudoField(":method") }
        self.init(method: method, url: url, fields: try GodwitCore.HTTPFields(request.headerFields), body: body)
    }
}

extension HTTPURL {
    /// The host, and the port if it isn't the scheme's default: the value of `:authority` and `Host`.
    fileprivate var authority: String {
        // An origin is written with its scheme.
        String(origin.description.drop { $0 != "/" }.drop { $0 == "/" })
    }

    fileprivate static func checked(
        _ scheme: String, _ authority: String, _ path: String
    ) throws(HTTPTypesConversionError) -> HTTPURL {
        guard path.utf8.first == UInt8(ascii: "/") else { throw .url(reason: "the path must start with \"/\"") }
        let url: HTTPURL
        do throws(InvalidURL) {
            url = try HTTPURL("\(scheme)://\(authority)\(path)")
        } catch {
            throw .url(reason: error.reason)
        }
        let defaultPort = url.scheme == .http ? ":80" : ":443"
        let given = authority.lowercased()
        guard url.target == path, url.authority == given || url.authority + defaultPort == given else {
            throw .urlChanges(to: url.absoluteString)
        }
        return url
    }
}
#endif
