import Godwit

enum RecordingSnippets {
    static func record(to file: URL) async throws {
        // snippet: har
        let recorder = HARRecorder()
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.recorder = recorder  // records each request; append it to `middleware` to record each call
        }
        _ = try await api.send(.article(id: 42))
        try recorder.save(to: file)
        // end
    }

    static func options(_ file: URL) -> HARRecorder {
        // snippet: har-options
        var options = HAROptions()
        options.bodyLimit = 64 << 10
        options.redactedFields = ["X-Tenant"]
        options.redactedNames = ["iban"]
        let recorder = HARRecorder(file: file, options: options)
        // end
        return recorder
    }

    static func trace() -> APIClient {
        // snippet: tracing
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.tracing = Tracing()
            $0.traceFields = TraceFields { $0.host.hasSuffix(".example.com") }
        }
        // end
        return api
    }

    static func continueTrace(_ api: APIClient, with incoming: HTTPFields) async throws -> Article {
        // snippet: trace-continue
        let trace = incoming[.traceparent].flatMap { TraceContext(traceparent: $0, tracestate: incoming[.tracestate]) }
        return try await Tracing.$current.withValue(trace) {
            try await api.send(.article(id: 42))
        }
        // end
    }
}
