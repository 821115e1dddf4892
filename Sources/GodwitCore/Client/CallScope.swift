/// Settings for all calls of a task. A screen's model sets it around its work.
package struct CallScope: Sendable {
    @TaskLocal package static var current: CallScope?

    /// Replaces the client's cache policy.
    package let cachePolicy: CachePolicy?
    /// Receives the account session of each client that makes a call.
    let onCall: (@Sendable (AccountSession) -> Void)?

    /// Creates a scope. Arguments that are `nil` are inherited from the task's current scope.
    package init(cachePolicy: CachePolicy? = nil, onCall: (@Sendable (AccountSession) -> Void)? = nil) {
        let outer = Self.current
        self.cachePolicy = cachePolicy ?? outer?.cachePolicy
        guard let onCall, let outerCall = outer?.onCall else {
            self.onCall = onCall ?? outer?.onCall
            return
        }
        self.onCall = {
            outerCall($0)
            onCall($0)
        }
    }

    /// Whether the task requests newer values than the stored ones.
    package static var isReloading: Bool {
        switch current?.cachePolicy {
        case .reloadIgnoringCache, .reloadRevalidating: true
        case .useProtocol, .cacheElseLoad, .cacheOnly, nil: false
        }
    }

    /// Applies the scope to a client's options. A client that never uses the network keeps its policy.
    package func apply(to options: inout RequestOptions) {
        guard let cachePolicy, options.cachePolicy != .cacheOnly else { return }
        options.cachePolicy = cachePolicy
    }
}

/// Uses a cache policy for all calls that a closure makes, such as a pull-to-refresh.
///
/// ```swift
/// let article = try await withCachePolicy(.reloadRevalidating) { try await repository.article(42) }
/// ```
///
/// It replaces the client's policy. An endpoint's ``Endpoint/cachePolicy(_:)`` and a client's `.cacheOnly` take
/// precedence. Child tasks and any `Task` that the closure starts inherit it. If the policy reloads,
/// ``APIClient/reading(_:from:maxAge:key:now:)`` requests newer values from the server.
///
/// - Parameters:
///   - policy: How calls use the cache.
///   - body: Makes the calls.
/// - Throws: Any error that the closure throws.
public func withCachePolicy<Value, Failure: Error>(
    _ policy: CachePolicy, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    try await CallScope.$current.withValue(CallScope(cachePolicy: policy)) {
        do throws(Failure) {
            return Result<Value, Failure>.success(try await body())
        } catch {
            return .failure(error)
        }
    }.get()
}
