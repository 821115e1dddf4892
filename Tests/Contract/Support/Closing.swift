import GodwitTesting
import Testing

/// Expects that what the caller leaves is closed at the server within 100 ms.
///
/// The fastest of some tries counts: the machine may be busy with other tests.
func expectClosing(
    of server: MockServer, sourceLocation: SourceLocation = #_sourceLocation, after leave: () async throws -> Void
) async throws {
    var fastest = Duration.seconds(60)
    for _ in 0..<10 where fastest > .milliseconds(100) {
        try await leave()
        let start = ContinuousClock.now
        try await server.waitUntilConnectionsClose()
        fastest = min(fastest, .now - start)
    }
    #expect(fastest <= .milliseconds(100), sourceLocation: sourceLocation)
}
