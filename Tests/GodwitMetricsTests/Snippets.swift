#if Metrics
import Godwit
import GodwitMetrics

/// What docs/integrations.md shows of this bridge.
enum MetricsSnippets {
    static func client() -> APIClient {
        // snippet: integrations-metrics
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.telemetry = MetricsTelemetry()
            $0.traceFields = TraceFields { _ in false }  // unless you also trace
        }
        // end
        return api
    }
}
#endif
