#if Logging
import Godwit
import GodwitLogging
import Logging

/// What docs/integrations.md shows of this bridge.
enum LoggingSnippets {
    static func client() -> APIClient {
        // snippet: integrations-logging
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.middleware.append(LoggerMiddleware(Logger(label: "reader.api")))
        }
        // end
        return api
    }
}
#endif
