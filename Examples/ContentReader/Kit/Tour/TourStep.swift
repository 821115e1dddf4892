import Godwit

/// One thing the tour shows: a name, and work that says what it saw or throws.
nonisolated struct TourStep: Sendable {
    let name: String
    let run: @Sendable (APIClient) async throws -> String
}

/// What was seen is not what should have been.
nonisolated struct Deviation: Error, CustomStringConvertible {
    let description: String
}

nonisolated func expect(_ isAsExpected: Bool, _ otherwise: @autoclosure () -> String) throws(Deviation) {
    guard isAsExpected else { throw Deviation(description: otherwise()) }
}

/// The error that some work ends with. Work that succeeds is a deviation.
nonisolated func failure(
    of work: () async throws(NetworkError) -> some Sendable
) async throws(Deviation) -> NetworkError {
    do throws(NetworkError) {
        let value = try await work()
        throw NetworkError(.invalidResponse(reason: "expected an error, got \(value)"), phase: .validating)
    } catch {
        if case .invalidResponse(let reason) = error.kind { throw Deviation(description: reason) }
        return error
    }
}
