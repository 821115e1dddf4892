/// A middleware in its place in a chain.
///
/// Its functions know the middleware's type: to call one that is held as `any Middleware`, all that it holds is copied, and
/// its reference counts are what tasks on different processors then wait for.
final class ChainLink: Sendable {
    /// Whether the middleware only prepares: a row of such is gone through without waiting.
    let isPreparing: Bool

    let handles: @Sendable (Call) -> Bool

    /// Changes a call before it goes on, where the middleware only prepares.
    let prepare: @Sendable (inout Call) throws(NetworkError) -> Void

    let handle: @Sendable (Call, Next) async throws(NetworkError) -> HTTPResponse

    init(_ middleware: some Middleware) {
        isPreparing = false
        handles = { middleware.handles($0) }
        prepare = { _ in }
        handle = { (call, next) async throws(NetworkError) in try await middleware.handle(call, next: next) }
    }

    init(preparing middleware: some RequestMiddleware) {
        isPreparing = true
        handles = { middleware.handles($0) }
        prepare = { (call) throws(NetworkError) in try middleware.prepare(&call) }
        handle = { (call, next) async throws(NetworkError) in try await middleware.handle(call, next: next) }
    }
}
