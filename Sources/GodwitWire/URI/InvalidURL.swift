/// Why a text is no URL that can be requested.
///
/// Thrown by ``HTTPURL`` and its methods. Calls of a client report it as `.invalidURL`, with the same reason.
///
/// ```swift
/// do { try HTTPURL(text) } catch { show(error.reason) }
/// ```
public struct InvalidURL: Error, Sendable, Hashable {
    /// What is wrong, in words a developer can act on.
    ///
    /// May quote the text it is about.
    public let reason: String

    /// Makes the error.
    ///
    /// - Parameter reason: What is wrong, in words a developer can act on.
    package init(_ reason: String) {
        self.reason = reason
    }
}

extension InvalidURL: CustomStringConvertible, LocalizedError {
    /// The reason, with what it is about.
    public var description: String { "invalid URL: \(reason)" }

    /// What `localizedDescription` says: ``description``.
    public var errorDescription: String? { description }
}
