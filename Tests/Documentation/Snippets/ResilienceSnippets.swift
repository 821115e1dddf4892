import Godwit

enum ResilienceSnippets {
    static func resilient(over transport: some HTTPTransport) -> APIClient {
        // snippet: resilient
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: transport) {
            $0.retry.maximumAttempts = 4
            $0.idempotencyKeys = [.post]  // only where the server knows the field
            $0.coalescesRequests = true
            $0.concurrency.perHost = 6
            $0.rateLimit = .tokenBucket(perSecond: 10, burst: 20)
            $0.circuitBreaker = CircuitBreaker.Options()
        }
        // end
        return api
    }

    static func once(_ api: APIClient, _ draft: Draft) async throws -> [Article] {
        // snippet: retry-once
        let article = try await api.send(.article(id: 42).retry(.never))
        let created = try await api.send(.create(draft).idempotencyKey("order-17"))  // a POST that may be sent again
        // end
        return [article, created]
    }
}
