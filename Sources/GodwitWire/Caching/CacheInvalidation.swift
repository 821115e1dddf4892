/// What a request that changes something makes unusable (RFC 9111 section 4.4).
package enum CacheInvalidation {
    /// The URLs whose stored responses may not be used any more: the one requested, and those that `Location` and
    /// `Content-Location` name, if they are of the same origin. None where the method is safe or the server refused.
    package static func urls(
        method: HTTPMethod, url: HTTPURL, status: HTTPStatus, response: HTTPFields
    ) -> [HTTPURL] {
        guard !method.isSafe, status.isSuccessful || status.kind == .redirection else { return [] }
        let named = [HTTPField.Name.location, .contentLocation].compactMap { name in
            response.agreedValue(of: name).flatMap { try? url.resolving($0) }
        }
        return [url] + named.filter { $0 != url && $0.isSameOrigin(as: url) }
    }
}
