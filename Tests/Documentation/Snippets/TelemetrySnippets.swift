import Godwit
import GodwitTelemetry

enum TelemetrySnippets {
    static func first() throws -> APIClient {
        // snippet: telemetry
        let api = try APIClient(baseURL: "https://api.example.com/v1") {
            $0.telemetry = try .otlp("http://localhost:4318", service: "reader")
        }
        // end
        return api
    }

    static func shutdown() async throws {
        // snippet: telemetry-shutdown
        let telemetry = try Telemetry(otlp: "http://localhost:4318", service: "reader")
        let api = APIClient(baseURL: "https://api.example.com/v1") { $0.telemetry = telemetry }
        _ = try await api.send(.article(id: 42))
        await telemetry.shutdown()  // waits up to 5 seconds
        print(telemetry.statistics.droppedSpans, telemetry.statistics.lastFailure ?? "")
        // end
    }

    static func recipe() async throws -> Article {
        // snippet: recipe-G6
        let telemetry = try Telemetry(otlp: "http://localhost:4318", service: "reader")  // import GodwitTelemetry
        let api = APIClient(baseURL: "https://api.example.com/v1") { $0.telemetry = telemetry }
        let article = try await api.send(.article(id: 42))
        await telemetry.shutdown()  // at the end of the program: exports the rest
        // end
        return article
    }

    static func template() -> Endpoint<Article> {
        // snippet: telemetry-template
        let endpoint = Endpoint<Article>.get("articles/\(42)").options { $0.urlTemplate = "/v1/articles/{id}" }
        // end
        return endpoint
    }

    static func options(key: String) throws -> Telemetry {
        // snippet: telemetry-options
        let telemetry = try Telemetry(otlp: "https://otlp.example.com", service: "reader") {
            $0.headers["api-key"] = key  // never logged, and not sent elsewhere by a redirect
            $0.resource = ["service.version": "1.2", "deployment.environment.name": "production"]
            $0.sampling = .traceIDRatio(0.1)  // of the traces that start here
            $0.redactedNames = ["iban"]
            $0.encoding = .json  // .protobuf by default; both are compressed with gzip
        }
        // end
        return telemetry
    }

    static func environment() throws -> Telemetry {
        // snippet: telemetry-environment
        let telemetry = try Telemetry(environment: ProcessInfo.processInfo.environment)
        // end
        return telemetry
    }

    static func own() -> any ClientTelemetry {
        // snippet: telemetry-own
        struct Printing: ClientTelemetry {
            struct Observer: Middleware {
                func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
                    let response = try await next(call)
                    print(call.request.options.urlTemplate ?? "?", response.metrics.total ?? .zero)
                    return response
                }
            }

            var callMiddleware: any ChainElement { Observer() }
            var requestMiddleware: any ChainElement { Observer() }
            func attach(_ gauges: ClientGauges) {}
        }
        // end
        return Printing()
    }
}
