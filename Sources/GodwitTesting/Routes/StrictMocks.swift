/// Runs an operation, then reports every request that no route took and every route that took no request.
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
/// It counts for each ``MockTransport`` and ``MockServer`` that the operation's task and its child tasks make. Swift
/// Testing has a trait for it: `.strictMocks` of `GodwitTestingTraits`. If the operation throws, unused routes and replies
/// are not reported, as it ended before it was done.
///
/// - Parameters:
///   - report: Receives each issue, after the operation has ended.
///   - isolation: The actor that calls it; the operation runs there.
///   - operation: Makes the mocks and uses them.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws.
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

/// The mocks that were made while a scope was current.
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
