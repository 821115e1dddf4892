#if canImport(Testing)
import GodwitTesting
public import Testing

/// A trait under which mocks are strict: see ``Testing/Trait/strictMocks``.
public struct StrictMocksTrait: TestTrait, SuiteTrait, TestScoping {
    /// Applies to every test of a suite, and to each alone.
    public var isRecursive: Bool { true }

    /// Runs a test, then records the issues of the mocks that it made.
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
    /// Records an issue for every request that no route took, and for every route that took no request.
    ///
    /// Write `@Suite(.strictMocks)` for all tests of a suite, or `@Test(.strictMocks)` for one.
    ///
    /// It counts for each `MockTransport` and `MockServer` that the test, its suite's initializer and its child tasks make,
    /// when the test ends. An issue is shown at the route's line; a request that no route took, at the nearest route's line
    /// or at that of the mock. `optional()` allows a route to stay unused.
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
