/// Which paths a cookie's path covers (RFC 6265bis section 5.1.4).
package enum CookiePath {
    /// The path of a cookie that names none: the request's, without its last segment.
    package static func standard(for path: String) -> String {
        guard path.utf8.first == UInt8(ascii: "/"), let last = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            last != path.startIndex
        else { return "/" }
        return String(path[..<last])
    }

    /// Whether a request's path is a cookie's path, or lies under it.
    package static func matches(_ path: String, _ cookiePath: String) -> Bool {
        guard path.utf8.starts(with: cookiePath.utf8) else { return false }
        let next = path.utf8.dropFirst(cookiePath.utf8.count).first
        return next == nil || next == UInt8(ascii: "/") || cookiePath.utf8.last == UInt8(ascii: "/")
    }
}
