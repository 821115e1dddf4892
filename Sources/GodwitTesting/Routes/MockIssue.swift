/// A location in a test's source: `#fileID`, `#filePath`, `#line` and `#column`.
///
/// The properties have the types of `XCTFail`'s parameters; Swift Testing's `Issue.record` takes them as strings.
public struct MockSourceLocation: Sendable, CustomStringConvertible {
    /// The module and the file name: `AppTests/ArticleTests.swift`.
    public let fileID: StaticString

    /// The path of the file at compile time.
    public let filePath: StaticString

    /// The line, from 1.
    public let line: UInt

    /// The column, from 1.
    public let column: UInt

    init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }

    /// The file name and the line: `ArticleTests.swift:12`.
    public var description: String {
        let path = "\(fileID)"
        return "\(path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...]):\(line)"
    }
}

/// An unexpected request, or an unused route or reply.
///
/// See ``MockTransport/verify()`` and ``withStrictMocks(report:isolation:operation:)``.
public struct MockIssue: Sendable, CustomStringConvertible {
    /// The kind of an issue.
    public enum Kind: Sendable, Hashable {
        /// No route matched a request.
        case unmatchedRequest
        /// A route matched no request; ``MockRoute/optional()`` allows this.
        case unusedRoute
        /// Some replies of ``MockRoute/replies(_:)`` were not used; ``MockRoute/optional()`` allows this.
        case unusedReplies
    }

    /// The kind of the issue.
    public let kind: Kind

    /// What happened to which route or request. It contains no header fields and no bodies.
    public let text: String

    /// The route; for an unmatched request, the nearest route, or the mock if none is near.
    public let location: MockSourceLocation

    /// The location and the text.
    public var description: String { "\(location): \(text)" }
}

/// Thrown by `verify()` of a mock, with every issue.
public struct MockFailure: Error, Sendable, CustomStringConvertible {
    /// The issues: requests in order, then routes in order.
    public let issues: [MockIssue]

    /// One line for each issue.
    public var description: String {
        issues.map(\.description).joined(separator: "\n")
    }

    static func check(_ issues: [MockIssue]) throws(MockFailure) {
        if !issues.isEmpty { throw MockFailure(issues: issues) }
    }
}
