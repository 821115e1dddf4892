#if Lifecycle
public import GodwitCore
public import ServiceLifecycle

/// A client is a service of swift-service-lifecycle: when its group shuts down, it finishes its calls, and then closes.
///
/// ```swift
/// let group = ServiceGroup(services: [api, server], gracefulShutdownSignals: [.sigterm], logger: logger)
/// try await group.run()
/// ```
///
/// A group shuts down its services in reverse order. List the client before the services that use it, so that it
/// closes after them.
extension APIClient: @retroactive Service {
    /// Waits for the graceful shutdown of the group, finishes calls in progress, and closes the client. Later calls throw
    /// `.shutdown`.
    ///
    /// If the task is canceled first, as by `maximumGracefulShutdownDuration`, calls in progress are canceled.
    public func run() async {
        // It throws if the task is canceled.
        let isGraceful = (try? await gracefulShutdown()) != nil
        guard isGraceful else { return await shutdown(.cancelling) }
        await withTaskCancellationHandler {
            await shutdown(.finishing)
        } onCancel: {
            Task { await self.shutdown(.cancelling) }
        }
    }
}
#endif
