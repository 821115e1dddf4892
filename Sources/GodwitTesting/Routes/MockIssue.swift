/// A place in a test's source, as `#fileID`, `#filePath`, `#line` and `#column` give it.
///
/// The parts have the types that `XCTFail` takes; `Issue.record` of Swift Testing takes them as strings.
public struct MockSourceLocation: Sendable {
    /// The module and the file's name: `AppTests/ArticleTests.swift`.
    public let fileID: StaticString

    /// The path of the file on the machine that compiled it.
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
}

extension MockSourceLocation: CustomStringConvertible {
    /// The file's name and the line: `ArticleTests.swift:12`.
    public var description: String {
        let path = "\(fileID)"
        return "\(path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...]):\(line)"
    }
}

/// Something that a test's mocks were not used for, or not prepared for.
///
/// See ``MockTransport/verify()`` and ``withStrictMocks(report:isolation:operation:)``.
public struct MockIssue: Sendable {
    /// What kind of issue it is.
    public enum Kind: Sendable, Hashable {
        /// No route took a request.
        case unmatchedRequest
        /// A route took no request; ``MockRoute/optional()`` allows it.
        case unusedRoute
        /// Of the replies of ``MockRoute/replies(_:)`` some were not asked for; ``MockRoute/optional()`` allows it.
        case unusedReplies
    }

    /// What kind of issue it is.
    public let kind: Kind

    /// What happened, to which route or request, without secrets of the request's header fields and content.
    public let text: String

    /// The route; for a request that no route took, the nearest route, or the mock if none is near.
    public let location: MockSourceLocation
}

extension MockIssue: CustomStringConvertible {
    /// The place and what happened.
    public var description: String { "\(location): \(text)" }
}

/// What `verify()` of a mock throws: every issue of the mock.
public struct MockFailure: Error, Sendable, CustomStringConvertible {
    /// The issues: requests in the order they came, then routes in the order they were written.
    public let issues: [MockIssue]

    /// One line for each issue.
    public var description: String {
        issues.map(\.description).joined(separator: "\n")
    }

    static func check(_ issues: [MockIssue]) throws(MockFailure) {
        if !issues.isEmpty { throw MockFailure(issues: issues) }
    }
}
