#if Tracing
import Godwit
import GodwitTracing
import Tracing

/// What docs/integrations.md shows of this bridge.
enum TracingSnippets {
    static func client() -> APIClient {
        // snippet: integrations-tracing
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.trace(with: InstrumentationSystem.tracer)
        }
        // end
        return api
    }
}
#endif
