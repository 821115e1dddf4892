/// Runs an operation, then reports each request without a route and each unused route.
///
/// ```swift
/// try await withStrictMocks { issue in
///     print("\(issue)")                    // or XCTFail(issue.text, file: issue.location.filePath, line: issue.location.line)
/// } operation: {
///     let mock = MockTransport { $0.get("/articles/1").reply(json: ["id": 1]) }
///     let api = APIClient(baseURL: "https://api.example.com", transport: mock)
///     _ = try await api.send(.article(id: 1))
/// }
/// ```
///
/// It covers each ``MockTransport`` and ``MockServer`` that the operation's task and its child tasks make. For Swift Testing,
/// `GodwitTestingTraits` has the trait `.strictMocks`. If the operation throws, unused routes and replies are not reported,
/// because it did not finish.
///
/// - Parameters:
///   - report: Receives each issue after the operation.
///   - isolation: The caller's actor, on which the operation runs.
///   - operation: Makes and uses the mocks.
/// - Returns: The result of the operation.
/// - Throws: The error of the operation.
public func withStrictMocks<Value>(
    report: (MockIssue) -> Void, isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Value
) async rethrows -> Value {
    let scope = MockScope()
    do {
        let value = try await MockScope.$current.withValue(scope, operation: operation, isolation: isolation)
        for issue in scope.issues { report(issue) }
        return value
    } catch {
        for issue in scope.issues where issue.kind == .unmatchedRequest { report(issue) }
        throw error
    }
}

/// The mocks that were made in a scope.
final class MockScope: Sendable {
    @TaskLocal static var current: MockScope?

    private let uses = Watched<[RouteUse]>([])

    func add(_ use: RouteUse) {
        uses.update { $0.append(use) }
    }

    var issues: [MockIssue] {
        uses.value.flatMap(\.issues)
    }
}
