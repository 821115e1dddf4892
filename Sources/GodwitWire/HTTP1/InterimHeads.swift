/// The interim responses before a final one (RFC 9110 section 15.2), over any version.
package struct InterimHeads: Sendable {
    /// The most of them.
    package static let limit = 100

    private var count = 0

    package init() {}

    /// Counts one that nothing asked for. Returns why it is invalid, or `nil`.
    package mutating func add(_ status: HTTPStatus) -> String? {
        if status.code == 101 { return "the server switched protocols without being asked to" }
        count += 1
        return count > Self.limit ? "the server sent more than \(Self.limit) interim responses" : nil
    }
}
