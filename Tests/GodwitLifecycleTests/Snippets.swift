#if Lifecycle
import Godwit
import GodwitLifecycle
import Logging
import ServiceLifecycle
import UnixSignals

/// What docs/integrations.md shows of this bridge.
enum LifecycleSnippets {
    static func run(_ api: APIClient, _ server: some Service, _ logger: Logger) async throws {
        // snippet: integrations-lifecycle
        let services = ServiceGroup(services: [api, server], gracefulShutdownSignals: [.sigterm], logger: logger)
        try await services.run()
        // end
    }
}
#endif
