#if canImport(Darwin)
extension BackgroundSession {
    /// Handles a launch of the app by the system. Call it from the app's delegate.
    ///
    /// ```swift
    /// func application(
    ///     _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    ///     completionHandler: @escaping () -> Void
    /// ) {
    ///     session.handleEvents(forBackgroundURLSession: identifier) { completionHandler() }
    /// }
    /// ```
    ///
    /// The events are kept for ``events`` and ``missedEvents()``, now or when the app is started again.
    ///
    /// - Parameters:
    ///   - identifier: The identifier that the system passes.
    ///   - completionHandler: Called when all files have been moved and all events saved; after that the system may stop the
    ///     app. Called immediately if the jobs can't be read, as before the device is first unlocked.
    /// - Returns: Whether the identifier is this session's. If not, nothing happens, and the handler is not called.
    @MainActor @discardableResult
    public func handleEvents(
        forBackgroundURLSession identifier: String, completionHandler: @escaping @MainActor @Sendable () -> Void
    ) -> Bool {
        let lane = SystemTaskLane.allCases.first { $0.identifier(of: self.identifier) == identifier }
        guard let lane else { return false }
        guard let transfers = try? SystemRegistry.shared.transfers(of: self.identifier, configuration) else {
            completionHandler()
            return true
        }
        transfers.whenDelivered(lane) {
            Task { @MainActor in completionHandler() }
        }
        Task { await transfers.begin() }
        return true
    }
}
#endif
