#if canImport(Darwin)
extension BackgroundSession {
    /// Takes what the system has started the app for; to be called by the app's delegate.
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
    /// The events are kept, and ``events`` or ``missedEvents()`` tell them, now or when the app is started again.
    ///
    /// - Parameter completionHandler: Called once all files are in their places and all events are written down; the
    ///   system may stop the app from then on.
    /// - Returns: Whether the identifier is this session's; if not, nothing happens, and the handler is not called. If it
    ///   is, but the jobs cannot be read, as before the device is first unlocked, the handler is called at once.
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
