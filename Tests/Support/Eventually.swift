package import Testing

/// Waits for something that happens elsewhere. It is an issue if it doesn't happen within a minute and a half.
package func eventually(
    isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async rethrows {
    let end = ContinuousClock.now + .seconds(90)
    var turns = 0
    while try await !condition() {
        guard ContinuousClock.now < end, !Task.isCancelled else {
            Issue.record("it did not come to that", sourceLocation: sourceLocation)
            return
        }
        turns += 1
        // Most things need other tasks alone, which come first; the rest needs time.
        if turns < 100 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(3)) }
    }
}
