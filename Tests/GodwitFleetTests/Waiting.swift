import Testing

/// Returns when a condition is met. One that isn't met within 20 seconds is an issue: Redis and its clients have pauses of
/// seconds, and each attempt may start a process's connection anew.
func waitUntil(
    isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    for _ in 0..<2000 {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("the condition was never met", sourceLocation: sourceLocation)
}
