#if canImport(Testing)
import GodwitTesting
public import Testing

/// A trait that makes mocks strict; see `Testing.Trait.strictMocks`.
public struct StrictMocksTrait: TestTrait, SuiteTrait, TestScoping {
    /// `true`: a suite's trait applies to each of its tests.
    public var isRecursive: Bool { true }

    /// Runs a test, then records the issues of its mocks.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withStrictMocks { issue in
            Issue.record(Comment(rawValue: issue.text), sourceLocation: SourceLocation(issue.location))
        } operation: {
            try await function()
        }
    }
}

extension Trait where Self == StrictMocksTrait {
    /// Records an issue for each request without a route and each unused route.
    ///
    /// Write `@Suite(.strictMocks)` for all tests of a suite, or `@Test(.strictMocks)` for one.
    ///
    /// It covers each `MockTransport` and `MockServer` that the test, its suite's initializer and its child tasks make. Issues are
    /// recorded when the test ends, at the route's line; for a request without a route, at the nearest route's or the mock's line.
    /// `optional()` allows an unused route.
    public static var strictMocks: StrictMocksTrait { StrictMocksTrait() }
}

extension SourceLocation {
    fileprivate init(_ location: MockSourceLocation) {
        self.init(
            fileID: "\(location.fileID)", filePath: "\(location.filePath)", line: Int(location.line),
            column: Int(location.column))
    }
}
#endif
