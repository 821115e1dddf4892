public import GodwitCore

/// The state of a value loaded over the network.
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
/// The last value stays while a newer one is loaded, and if that fails.
public enum LoadingState<Value> {
    /// Nothing was requested yet.
    case idle
    /// Loading, with the previous value if there is one.
    case loading(last: Value?)
    /// The value is loaded.
    case loaded(Value)
    /// Loading failed, with the previous value if there is one.
    case failed(NetworkError, last: Value?)
}

extension LoadingState: Sendable where Value: Sendable {}

extension LoadingState {
    /// The value to show: the current one, or the last one while another is loaded or failed to load.
    public var value: Value? {
        switch self {
        case .idle: nil
        case .loading(let last), .failed(_, let last): last
        case .loaded(let value): value
        }
    }

    /// Why the value couldn't be loaded.
    public var error: NetworkError? {
        if case .failed(let error, _) = self { error } else { nil }
    }

    /// Whether a value is being loaded.
    public var isLoading: Bool {
        if case .loading = self { true } else { false }
    }

    /// Whether the latest requested value is loaded.
    public var isLoaded: Bool {
        if case .loaded = self { true } else { false }
    }

    /// Returns this state with converted values.
    ///
    /// - Parameter transform: Converts a value, including the last one.
    public func map<Other>(_ transform: (Value) -> Other) -> LoadingState<Other> {
        switch self {
        case .idle: .idle
        case .loading(let last): .loading(last: last.map(transform))
        case .loaded(let value): .loaded(transform(value))
        case .failed(let error, let last): .failed(error, last: last.map(transform))
        }
    }
}

/// The result of work.
typealias Outcome<Value> = Result<Value, NetworkError>

extension Result where Success: Sendable, Failure == NetworkError {
    /// Performs work and converts its error to a ``NetworkError``.
    nonisolated static func of(_ work: @Sendable () async throws -> Success) async -> Outcome<Success> {
        do {
            return .success(try await work())
        } catch {
            return .failure(NetworkError(any: error))
        }
    }
}

extension NetworkError {
    /// Whether the work was canceled.
    var isCancellation: Bool { kind == .cancelled }

    /// Whether a network, or another one, may help.
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
