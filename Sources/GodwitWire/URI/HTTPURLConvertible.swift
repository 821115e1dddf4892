/// What can stand where a URL is asked for: a string, a Foundation `URL`, or an ``HTTPURL``.
///
/// Text may turn out not to be a URL; the call that uses it then throws `.invalidURL` with the reason.
///
/// A Foundation `URL` is read by its `absoluteString`, with the rules of ``HTTPURL/init(_:)``.
///
/// ```swift
/// APIClient(baseURL: "https://api.example.com/v1")            // a string
/// APIClient(baseURL: server.url)                              // an HTTPURL
/// ```
public protocol HTTPURLConvertible: Sendable {
    /// The URL, or why this is none.
    func httpURL() throws(InvalidURL) -> HTTPURL
}

extension HTTPURL: HTTPURLConvertible {
    /// The URL itself; never throws.
    public func httpURL() throws(InvalidURL) -> HTTPURL { self }
}

extension String: HTTPURLConvertible {
    /// Parses the text.
    public func httpURL() throws(InvalidURL) -> HTTPURL { try HTTPURL(self) }
}

extension URL: HTTPURLConvertible {
    /// Parses the absolute form of the URL; a relative one without a base throws.
    public func httpURL() throws(InvalidURL) -> HTTPURL { try HTTPURL(absoluteString) }
}
