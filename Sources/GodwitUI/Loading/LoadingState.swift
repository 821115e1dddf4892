public import GodwitCore

/// How a value that comes over the network stands.
///
/// ```swift
/// switch loader.state {
/// case .idle, .loading(last: nil): showSpinner()
/// case .loading(last: let old?): show(old, isRefreshing: true)
/// case .loaded(let value): show(value)
/// case .failed(let error, last: _): show(error.userMessage)
/// }
/// ```
///
/// The last value stays while a newer one is loaded, and when that fails.
public enum LoadingState<Value> {
    /// Nothing was asked for yet.
    case idle
    /// On its way; the value from before, where there is one.
    case loading(last: Value?)
    /// There.
    case loaded(Value)
    /// It could not be had; the value from before, where there is one.
    case failed(NetworkError, last: Value?)
}

extension LoadingState: Sendable where Value: Sendable {}

extension LoadingState {
    /// What there is to show: the value, or the last one while another is loaded or could not be had.
    public var value: Value? {
        switch self {
        case .idle: nil
        case .loading(let last), .failed(_, let last): last
        case .loaded(let value): value
        }
    }

    /// Why the value could not be had.
    public var error: NetworkError? {
        if case .failed(let error, _) = self { error } else { nil }
    }

    /// Whether a value is on its way.
    public var isLoading: Bool {
        if case .loading = self { true } else { false }
    }

    /// Whether the value is there, and the latest that was asked for.
    public var isLoaded: Bool {
        if case .loaded = self { true } else { false }
    }

    /// The same with another value.
    ///
    /// - Parameter transform: Makes the other value, of the last one too.
    public func map<Other>(_ transform: (Value) -> Other) -> LoadingState<Other> {
        switch self {
        case .idle: .idle
        case .loading(let last): .loading(last: last.map(transform))
        case .loaded(let value): .loaded(transform(value))
        case .failed(let error, let last): .failed(error, last: last.map(transform))
        }
    }
}

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
