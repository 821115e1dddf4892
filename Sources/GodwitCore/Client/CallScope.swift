/// What a task's calls have in common. A screen's model sets it around its work.
package struct CallScope: Sendable {
    @TaskLocal package static var current: CallScope?

    /// Takes the place of the client's cache policy.
    package let cachePolicy: CachePolicy?
    /// Receives the account session of a client that a call is made with.
    package let onCall: (@Sendable (AccountSession) -> Void)?

    /// Makes a scope inside the task's own, which provides what is `nil` here.
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

    /// Whether the task asks for newer values than those that are stored.
    static var isReloading: Bool {
        switch current?.cachePolicy {
        case .reloadIgnoringCache, .reloadRevalidating: true
        case .useProtocol, .cacheElseLoad, .cacheOnly, nil: false
        }
    }

    /// Applies the task's scope to a client's options. A client that never uses the network keeps its policy.
    func apply(to options: inout RequestOptions) {
        guard let cachePolicy, options.cachePolicy != .cacheOnly else { return }
        options.cachePolicy = cachePolicy
    }
}

/// Uses a cache policy for all calls that a closure makes, as a pull to refresh does.
///
/// ```swift
/// let article = try await withCachePolicy(.reloadRevalidating) { try await repository.article(42) }
/// ```
///
/// It takes the place of the client's own policy. The policy of an endpoint, ``Endpoint/cachePolicy(_:)``, wins over it, and
/// so does `.cacheOnly` as the client's policy. It holds for child tasks and for a `Task` that the closure starts. A reading
/// of stored models (``APIClient/reading(_:from:maxAge:key:now:)``) asks the server under a policy that reloads.
///
/// - Parameters:
///   - policy: How the cache may answer.
///   - body: Makes the calls.
/// - Throws: What the closure throws.
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
