public import Godwit

/// One step of the tour: a name, and work that returns an observation or throws.
nonisolated public struct TourStep: Sendable {
    let name: String
    let run: @Sendable (APIClient) async throws -> String

    public init(name: String, run: @escaping @Sendable (APIClient) async throws -> String) {
        (self.name, self.run) = (name, run)
    }
}

/// The observation differs from the expectation.
nonisolated public struct Deviation: Error, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
}

nonisolated public func expect(_ isAsExpected: Bool, _ otherwise: @autoclosure () -> String) throws(Deviation) {
    guard isAsExpected else { throw Deviation(description: otherwise()) }
}

/// Returns the error of some work. Success is a deviation.
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
