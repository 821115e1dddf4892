import Synchronization

/// A middleware in its place in a chain.
///
/// Its functions know the middleware's type: to call one that is held as `any Middleware`, all that it holds is copied, and
/// its reference counts are what tasks on different processors then wait for.
final class ChainLink: Sendable {
    /// Whether the middleware only prepares: a row of such is gone through without waiting.
    ///
    /// A ``RequestMiddleware`` may have a `handle` of its own, which no type shows. So it is handled as any other until the
    /// default `handle` has run, which says so here.
    private let preparesOnly = Atomic(false)

    var isPreparing: Bool { preparesOnly.load(ordering: .relaxed) }

    /// The type of the middleware.
    private let type: ObjectIdentifier

    /// Whether the middleware sends every request on as it is.
    let onlyObserves: Bool

    let handles: @Sendable (Call) -> Bool

    /// Changes a call before it goes on, where the middleware only prepares.
    let prepare: @Sendable (inout Call) throws(NetworkError) -> Void

    let handle: @Sendable (Call, Next) async throws(NetworkError) -> HTTPResponse

    init<Wrapped: Middleware>(_ middleware: Wrapped) {
        type = ObjectIdentifier(Wrapped.self)
        onlyObserves = Wrapped.self is HARRecorder.Type || Wrapped.self is RequestLog.Type
        handles = { middleware.handles($0) }
        prepare = { _ in }
        handle = { (call, next) async throws(NetworkError) in try await middleware.handle(call, next: next) }
    }

    init<Wrapped: RequestMiddleware>(preparing middleware: Wrapped) {
        type = ObjectIdentifier(Wrapped.self)
        onlyObserves = Wrapped.self is HARRecorder.Type || Wrapped.self is RequestLog.Type
        handles = { middleware.handles($0) }
        prepare = { (call) throws(NetworkError) in try middleware.prepare(&call) }
        handle = { (call, next) async throws(NetworkError) in try await middleware.handle(call, next: next) }
    }

    /// Notes that the default `handle` of ``RequestMiddleware`` runs for a type. One that another middleware wraps says
    /// nothing about the one that stands here.
    func noteDefaultHandling(of type: any RequestMiddleware.Type) {
        if ObjectIdentifier(type) == self.type { preparesOnly.store(true, ordering: .relaxed) }
    }
}
