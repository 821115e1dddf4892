import GodwitCore

/// What a piece of work came to.
typealias Outcome<Value> = Result<Value, NetworkError>

extension Result where Success: Sendable, Failure == NetworkError {
    /// Does the work, and makes a ``NetworkError`` of whatever it throws.
    nonisolated static func of(_ work: @Sendable () async throws -> Success) async -> Outcome<Success> {
        do {
            return .success(try await work())
        } catch {
            return .failure(NetworkError(any: error))
        }
    }
}

extension NetworkError {
    /// Whether somebody only changed their mind.
    var isCancellation: Bool { kind == .cancelled }

    /// Whether another network, or one at all, may help.
    var mayPassWithNetwork: Bool {
        switch kind {
        case .offline, .timedOut: true
        case .transport: isRetryable
        default: false
        }
    }

    init(any error: any Error) {
        switch error {
        case let error as NetworkError: self = error
        case is CancellationError: self.init(.cancelled, phase: .middleware)
        default: self.init(.transport(.other("\(error)")), phase: .middleware, underlying: error)
        }
    }
}
