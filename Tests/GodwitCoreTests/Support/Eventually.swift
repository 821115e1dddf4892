import Testing

/// Lets other tasks go first until a condition holds; fails after very many turns.
func eventually(
    sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
    for _ in 0..<200_000 {
        if try await condition() { return }
        await Task.yield()
    }
    Issue.record("it did not come to that", sourceLocation: sourceLocation)
}
